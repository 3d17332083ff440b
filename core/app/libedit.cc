// Editing of lines by libedit: keys as in Emacs, or as ~/.editrc says; the history; Tab.
#include <histedit.h>
#include <langinfo.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <string_view>
#include <utility>

#include "lines.h"
#include "progress.h"
#include "signals.h"

namespace bmsim::app {
namespace {

volatile std::sig_atomic_t resized = 0, to_stop = 0;

// Notes Ctrl-Z and a new size of the terminal while a line is edited.
class TerminalSignals {
 public:
  TerminalSignals() {
    replace(
        SIGWINCH, [](int) { resized = 1; }, size_);
    replace(
        SIGTSTP, [](int) { to_stop = 1; }, stop_);
  }
  ~TerminalSignals() {
    sigaction(SIGWINCH, &size_, nullptr);
    sigaction(SIGTSTP, &stop_, nullptr);
  }
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;
  /// Stops the process, until it goes on.
  void stop() {
    struct sigaction noting = {};
    sigaction(SIGTSTP, &stop_, &noting);
    std::raise(SIGTSTP);
    sigaction(SIGTSTP, &noting, nullptr);
  }

 private:
  static void replace(int signal, void (*handler)(int), struct sigaction& old) {
    struct sigaction action = {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, &old);
    if (old.sa_handler == SIG_IGN) sigaction(signal, &old, nullptr);
  }
  struct sigaction size_ = {}, stop_ = {};
};

// libedit takes lines apart by the locale. Numbers keep the C locale.
void read_utf8() {
  const bool of_user = std::setlocale(LC_CTYPE, "") != nullptr;
  if (!of_user || std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

bool is_text(const std::string& line) { return std::mbstowcs(nullptr, line.c_str(), 0) != static_cast<size_t>(-1); }

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// Names in columns, down and then across.
void list_names(const std::vector<std::string>& names) {
  constexpr size_t most = 200, gap = 2;
  const size_t count = std::min(names.size(), most);
  size_t width = 0;
  for (size_t i = 0; i < count; ++i) width = std::max(width, names[i].size() + gap);
  const size_t across = std::max<size_t>(1, terminal_width(STDOUT_FILENO) / width),
               down = (count + across - 1) / across;
  std::string text = "\n";
  for (size_t row = 0; row < down; ++row) {
    for (size_t i = row; i < count; i += down)
      text += i + down < count ? fmt::format("{:<{}}", names[i], width) : names[i];
    text += '\n';
  }
  if (names.size() > most) text += fmt::format("... and {} more\n", names.size() - most);
  say(stdout, "{}", text);
  std::fflush(stdout);
}

std::string common_start(const std::vector<std::string>& names) {
  std::string start = names[0];
  for (const auto& name : names) {
    const auto differs = std::ranges::mismatch(start, name).in1;
    start.erase(differs, start.end());
  }
  return start;
}

class Libedit : public Editor {
 public:
  explicit Libedit(Completer complete)
      : complete_(std::move(complete)), edit_(el_init("bmsim", stdin, stdout, stderr)), history_(history_init()) {
    if (edit_ == nullptr || history_ == nullptr) return;
    HistEvent event;
    history(history_, &event, H_SETSIZE, static_cast<int>(HistoryFile::most));
    history(history_, &event, H_SETUNIQUE, 1);
    for (const auto& line : file_.read())
      if (is_text(line)) history(history_, &event, H_ENTER, line.c_str());
    el_set(edit_, EL_CLIENTDATA, this);
    el_set(edit_, EL_PROMPT, show_prompt);
    el_set(edit_, EL_EDITOR, "emacs");
    el_set(edit_, EL_HIST, history, history_);
    el_set(edit_, EL_GETCFN, next_character);
    el_set(edit_, EL_ADDFN, "complete-name", "completes the name before the cursor", on_tab);
    bind("^R", "em-inc-search-prev");
    bind("\\e[3~", "ed-delete-next-char");
    bind("\\e[1;5D", "ed-prev-word");
    bind("\\e[1;5C", "em-next-word");
    bind("^I", "complete-name");
    el_source(edit_, nullptr);
    bind("^I", "complete-name");  // bind -v has removed it
  }
  ~Libedit() override {
    if (edit_ != nullptr) el_end(edit_);
    if (history_ != nullptr) history_end(history_);
  }
  Libedit(const Libedit&) = delete;
  Libedit& operator=(const Libedit&) = delete;
  bool usable() const { return edit_ != nullptr && history_ != nullptr; }

  Got read(const char* prompt, std::string& line) override {
    prompt_ = prompt;
    interrupted_ = false;
    TerminalSignals signals;
    signals_ = &signals;
    el_set(edit_, EL_PREP_TERM, 1);  // before the prompt is there: no Ctrl-D is lost
    int length = 0;
    const char* text = el_gets(edit_, &length);
    if (interrupted_) return Got::interrupted;
    if (text == nullptr || length <= 0) return Got::end;
    line.assign(text, static_cast<size_t>(length));
    remember(line);
    return Got::line;
  }

 private:
  static Libedit& self(EditLine* edit) {
    void* data = nullptr;
    el_get(edit, EL_CLIENTDATA, &data);
    return *static_cast<Libedit*>(data);
  }
  static char* show_prompt(EditLine* edit) { return self(edit).prompt_.data(); }
  static int next_character(EditLine* edit, wchar_t* character) { return self(edit).read_character(*character); }
  static unsigned char on_tab(EditLine* edit, int) { return self(edit).complete_name(); }

  void bind(const char* key, const char* command) { el_set(edit_, EL_BIND, key, command, nullptr); }

  void remember(std::string line) {
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    if (blank(line) || line == last_) return;
    HistEvent event;
    history(history_, &event, H_ENTER, line.c_str());
    file_.append(line);
    last_ = line;
  }

  // Returns 1; 0 at the end of the input, -1 if a signal ends the line.
  int read_character(wchar_t& character) {
    std::mbstate_t state = {};
    for (;;) {
      char byte = 0;
      if (const int got = read_byte(byte); got != 1) return got;
      const size_t used = std::mbrtowc(&character, &byte, 1, &state);
      if (used == static_cast<size_t>(-1)) {
        state = {};  // no UTF-8
      } else if (used != static_cast<size_t>(-2)) {
        return 1;
      }
    }
  }

  int read_byte(char& byte) {
    for (;;) {
      interrupted_ = interrupted_ || heard_signal() != 0;
      if (interrupted_) return -1;
      if (to_stop != 0) stop();
      if (resized != 0) {
        resized = 0;
        el_resize(edit_);
        el_set(edit_, EL_REFRESH);
      }
      // A signal between these looks and the call is seen after the pause.
      constexpr int pause = 250;  // ms
      pollfd input = {STDIN_FILENO, POLLIN, 0};
      if (poll(&input, 1, pause) <= 0) continue;
      const ssize_t n = ::read(STDIN_FILENO, &byte, 1);
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      return n == 1 ? 1 : 0;
    }
  }

  void stop() {
    to_stop = 0;
    el_set(edit_, EL_PREP_TERM, 0);
    signals_->stop();
    el_set(edit_, EL_PREP_TERM, 1);
    el_set(edit_, EL_REFRESH);
  }

  unsigned char complete_name() {
    const LineInfo* line = el_line(edit_);
    const std::string before(line->buffer, line->cursor);
    if (blank(before)) return el_insertstr(edit_, "  ") == 0 ? CC_REFRESH : CC_ERROR;
    const Completion found = complete_(before);
    if (found.names.empty()) return CC_REFRESH_BEEP;
    const std::string start = common_start(found.names);
    if (start.size() > found.typed)
      return el_insertstr(edit_, start.c_str() + found.typed) == 0 ? CC_REFRESH : CC_ERROR;
    if (found.names.size() == 1) return CC_REFRESH;
    list_names(found.names);
    return CC_REDISPLAY;
  }

  Completer complete_;
  EditLine* edit_;
  History* history_;
  HistoryFile file_;
  TerminalSignals* signals_ = nullptr;
  std::string prompt_, last_;
  bool interrupted_ = false;
};

}  // namespace

std::unique_ptr<Editor> new_editor(Completer complete) {
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || *terminal == '\0' || std::strcmp(terminal, "dumb") == 0) return nullptr;
  read_utf8();
  auto editor = std::make_unique<Libedit>(std::move(complete));
  if (!editor->usable()) return nullptr;
  return editor;
}

}  // namespace bmsim::app
