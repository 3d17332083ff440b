// Recursive descent: comparison = expression [<> expression], expression = term {+- term}, term = signed {*/ signed},
// signed = {+-} powered, powered = primary [^ signed], primary = number | name | name(arguments) | (comparison).
#include "formula/parse.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "error.h"
#include "formula/functions.h"
#include "nearest_name.h"

namespace bmsim::formula {
namespace {

constexpr int deepest_nesting = 100;      // of parentheses, signs and powers
constexpr size_t longest_formula = 4000;  // characters
constexpr double steepest = 1000;         // exponent

bool begins_name(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool continues_name(char c) { return begins_name(c) || (c >= '0' && c <= '9'); }

/// Whether a byte continues a character of UTF-8.
bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// Throws Error if a parameter's name cannot be used in a formula, or has another meaning.
void check_parameters(std::span<const std::string> variables, std::span<const std::string> parameters,
                      std::string_view subject) {
  if (parameters.size() > most_parameters)
    fail("{}: there must be at most {} parameters, got {}", subject, most_parameters, parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i];
    if (!is_name(name))
      fail("{}: a parameter's name must be letters, digits and '_', no digit first, got '{}'", subject, name);
    if (find_function(name)) fail("{}: a parameter must not have the name of a function, got '{}'", subject, name);
    if (name == "pi" || name == "x" || name == "t" || std::ranges::count(variables, name))
      fail("{}: a parameter must not be called x, t or pi, got '{}'", subject, name);
    if (std::ranges::count(parameters.first(i), name)) fail("{}: parameter '{}' is there twice", subject, name);
  }
}

/// The text with blanks for line breaks and other control characters.
std::string on_one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return line;
}

class Parser {
 public:
  Parser(std::string_view text, std::span<const std::string> variables, std::span<const std::string> parameters,
         std::string_view subject)
      : text_(text), subject_(subject), names_(variables.begin(), variables.end()) {
    names_.emplace_back("pi");
    names_.insert(names_.end(), parameters.begin(), parameters.end());
    full_names_ = std::ranges::any_of(names_, [](const std::string& name) { return name.find('.') != name.npos; });
  }

  Expression whole() {
    check_length(text_, subject_);
    skip_blanks();
    if (position_ == text_.size()) wrong(0, "the formula is empty");
    const Expression result = comparison();
    if (position_ < text_.size()) trailing();
    return result;
  }
  const std::set<std::string, std::less<>>& used() const { return used_; }

 private:
  [[noreturn]] void wrong(size_t position, std::string_view what) const {
    const auto within = std::ranges::count_if(text_.substr(0, position), continues_character);
    const size_t column = position - static_cast<size_t>(within);
    fail("{}: {}\n  {}\n  {}^", subject_, what, on_one_line(text_), std::string(column, ' '));
  }

  void skip_blanks() { position_ = std::min(text_.find_first_not_of(" \t\r\n", position_), text_.size()); }
  char here() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  /// The character here in quotes, or its number if it cannot be seen, for messages.
  std::string character() const {
    if (const auto byte = static_cast<unsigned char>(text_[position_]); byte < ' ') return fmt::format("byte {}", byte);
    size_t end = position_ + 1;
    while (end < text_.size() && continues_character(text_[end])) ++end;
    return fmt::format("'{}'", text_.substr(position_, end - position_));
  }
  bool take(char c) {
    if (here() != c || position_ == text_.size()) return false;
    ++position_;
    skip_blanks();
    return true;
  }

  [[noreturn]] void trailing() const {
    const char c = here();
    if (c == ')') wrong(position_, "this ')' has no '('");
    if (c == ',') wrong(position_, "a ',' only separates a function's arguments");
    if (c == '=' || c == '!') wrong(position_, "numbers are compared by <, >, <= and >=");
    if (continues_name(c) || c == '(' || c == '.') wrong(position_, "an operator is missing here, as in 2*x");
    wrong(position_, fmt::format("unexpected {}", character()));
  }

  /// Returns e. Throws Error, for this place in the text, if it is a number that is not finite, such as 1/0.
  Expression finite(const Expression& e, size_t position) const {
    if (!std::isfinite(e->number)) wrong(position, "this has no finite value");
    return e;
  }

  /// Its value is 1 where it holds, otherwise 0.
  Expression comparison() {
    const Expression left = expression();
    const char c = here();
    if (position_ == text_.size() || (c != '<' && c != '>')) return left;
    ++position_;
    const bool or_equal = position_ < text_.size() && text_[position_] == '=';
    if (or_equal) ++position_;
    skip_blanks();
    const Expression right = expression();
    const size_t at = position_;
    if (here() == '<' || here() == '>') wrong(at, "a comparison has two sides; write (a < b)*(b < c)");
    const bool swapped = (c == '>') != or_equal;
    const Expression below = call(
        "select", swapped ? std::vector<Expression>{right, left, 1, 0} : std::vector<Expression>{left, right, 1, 0});
    return or_equal ? 1 - below : below;
  }
  Expression expression() {
    Expression result = term();
    for (;;) {
      const size_t at = position_;
      if (take('+'))
        result = finite(result + term(), at);
      else if (take('-'))
        result = finite(result - term(), at);
      else
        return result;
    }
  }
  Expression term() {
    Expression result = with_sign();
    for (;;) {
      const size_t at = position_;
      if (take('*')) {
        if (here() == '*') wrong(at, "'**' is not an operator; a power is written '^'");
        result = finite(result * with_sign(), at);
      } else if (take('/')) {
        result = finite(result / with_sign(), at);
      } else {
        return result;
      }
    }
  }
  Expression with_sign() {
    // All nesting passes through here.
    if (++depth_ > deepest_nesting) wrong(position_, fmt::format("nested more than {} deep", deepest_nesting));
    Expression result = take('-') ? -with_sign() : take('+') ? with_sign() : powered();
    --depth_;
    return result;
  }
  Expression powered() {
    const Expression base = primary();
    const size_t at = position_;
    if (!take('^')) return base;
    return raised(base, with_sign(), at);
  }
  Expression raised(const Expression& base, const Expression& exponent, size_t at) const {
    if (exponent->kind == Kind::number && std::fabs(exponent->number) > steepest)
      wrong(at, fmt::format("an exponent must be at most {} in size, got {}", steepest, exponent->number));
    return finite(power(base, exponent), at);
  }

  Expression primary() {
    if (position_ == text_.size()) wrong(position_, "a number, a name or '(' is missing at the end");
    const char c = here();
    if (take('(')) {
      const Expression result = comparison();
      close();
      return result;
    }
    if (begins_name(c)) return named();
    if ((c >= '0' && c <= '9') || c == '.') return number();
    wrong(position_, fmt::format("expected a number, a name or '(', got {}", character()));
  }
  void close() {
    if (take(')')) return;
    if (position_ == text_.size()) wrong(position_, "missing ')'");
    if (here() == ',') wrong(position_, "expected ')', got ','");
    trailing();
  }

  Expression number() {
    const char* first = text_.data() + position_;
    double value = 0;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) wrong(position_, "a number must lie between 1e-307 and 1e308 in size");
    if (error != std::errc()) wrong(position_, fmt::format("expected a number, got {}", character()));
    position_ += static_cast<size_t>(end - first);
    skip_blanks();
    return value;
  }

  Expression named() {
    const size_t at = position_;
    while (position_ < text_.size() && continues_name(text_[position_])) ++position_;
    while (full_names_ && here() == '.' && position_ + 1 < text_.size() && begins_name(text_[position_ + 1]))
      for (++position_; position_ < text_.size() && continues_name(text_[position_]);) ++position_;
    const std::string_view name = text_.substr(at, position_ - at);
    skip_blanks();
    const bool known = std::ranges::count(names_, name) > 0;
    const Function* function = find_function(name);
    if (function && function->inner) function = nullptr;
    if (here() == '(' && function) return called(*function, at);
    if (function) wrong(at, fmt::format("'{0}' is a function; write {0}(...)", name));
    if (here() == '(' && known) wrong(position_, fmt::format("'{0}' is not a function; write {0}*(...)", name));
    const auto meant = [&] { return name == "ln" ? "; did you mean 'log'?" : suggestion(name, function_names()); };
    if (here() == '(') wrong(at, fmt::format("unknown function '{}'{}", name, meant()));
    if (!known) wrong(at, fmt::format("unknown name '{}'{}", name, suggestion(name, names_)));
    used_.emplace(name);
    return Expression(name);
  }

  Expression called(const Function& function, size_t at) {
    take('(');
    std::vector<Expression> arguments;
    if (!take(')')) {
      do {
        arguments.push_back(comparison());
      } while (take(','));
      close();
    }
    if (arguments.size() != function.arguments)
      wrong(at, fmt::format("{} takes {} argument{}, got {}", function.name, function.arguments,
                            function.arguments == 1 ? "" : "s", arguments.size()));
    if (function.name == "pow") return raised(arguments[0], arguments[1], at);
    return finite(call(function.name, arguments), at);
  }

  static std::vector<std::string> function_names() {
    std::vector<std::string> result;
    for (const Function& function : functions())
      if (!function.inner) result.emplace_back(function.name);
    return result;
  }

  std::string_view text_, subject_;
  std::vector<std::string> names_;
  std::set<std::string, std::less<>> used_;
  bool full_names_ = false;  // some names have a dot: "cosine.omega"
  size_t position_ = 0;
  int depth_ = 0;
};

}  // namespace

bool is_name(std::string_view word) {
  return !word.empty() && begins_name(word[0]) && std::ranges::all_of(word, continues_name);
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (size_t at = 0, end = 0; at < text.size(); at = std::max(end, at + 1)) {
    for (end = at; end < text.size() && continues_name(text[end]);) ++end;
    const std::string_view word = text.substr(at, end - at);
    const size_t next = text.find_first_not_of(" \t\r\n", end);
    const bool called = next != text.npos && text[next] == '(';
    if (is_name(word) && !called && known.insert(word).second) names.emplace_back(word);
  }
  return names;
}

void check_names(std::span<const std::string> names, std::string_view subject) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (!is_name(name)) fail("{}: a name must be letters, digits and '_', no digit first, got '{}'", subject, name);
    if (find_function(name)) fail("{}: a name must not be that of a function, got '{}'", subject, name);
    if (name == "pi" || name == "t") fail("{}: a name must not be t or pi, got '{}'", subject, name);
    if (std::ranges::count(names.first(i), name)) fail("{}: '{}' must not be the name of two things", subject, name);
  }
}

void check_length(std::string_view formula, std::string_view subject) {
  if (formula.size() > longest_formula)
    fail("{}: a formula must have at most {} characters, got {}: {}", subject, longest_formula, formula.size(),
         shortened(formula));
}

std::string shortened(std::string_view formula) {
  constexpr size_t enough = 40;
  if (formula.size() <= enough) return std::string(formula);
  size_t end = enough;
  while (continues_character(formula[end])) --end;
  return on_one_line(formula.substr(0, end)) + "...";
}

Expression parse(std::string_view formula, std::span<const std::string> variables,
                 std::span<const std::string> parameters, std::span<const std::string> optional,
                 std::string_view subject) {
  check_parameters(variables, parameters, subject);
  Parser parser(formula, variables, parameters, subject);
  const Expression result = parser.whole();
  for (const std::string& name : parameters)
    if (!parser.used().contains(name) && !std::ranges::count(optional, name))
      fail("{}: parameter '{}' must occur in the formula, got {}", subject, name, formula);
  return result;
}

}  // namespace bmsim::formula
