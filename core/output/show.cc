// A result as text: names, ranges, and a plot in characters.
#include <algorithm>
#include <cmath>

#include "error.h"
#include "output/dataset.h"
#include "printable.h"

namespace bmsim {

namespace {

struct Range {
  double least = INFINITY, most = -INFINITY;
  size_t missing = 0;  // not finite
  explicit Range(const std::vector<double>& values) {
    for (const double value : values) {
      if (!std::isfinite(value)) {
        ++missing;
        continue;
      }
      least = std::min(least, value + 0.0);  // -0 is 0
      most = std::max(most, value + 0.0);
    }
  }
  std::string text() const {
    const std::string missing_text = missing == 0 ? "" : fmt::format("{}{} nan", least <= most ? ", " : "", missing);
    return (least <= most ? fmt::format("{:.6g} to {:.6g}", least, most) : "") + missing_text;
  }
};

std::string with_unit(const std::string& text, const std::string& unit) {
  return text + (unit.empty() || unit == "1" ? "" : fmt::format("{}[{}]", text.empty() ? "" : " ", unit));
}

std::string meaning_text(const Dataset& data, size_t column) {
  if (column >= data.meanings.size()) return "";
  return with_unit(data.meanings[column].text, data.meanings[column].unit);
}

/// The width of the column of names. Longer names push the rest of their line to the right.
size_t widest(const Dataset& data) {
  constexpr size_t most = 40;
  size_t width = 0;
  for (const Column& column : data.table.columns) width = std::max(width, column.name.size());
  for (const Array& array : data.arrays) width = std::max(width, array.name.size());
  return std::min(width, most);
}

std::string line(const std::string& name, size_t width, const std::string& size, const std::string& range,
                 const std::string& meaning) {
  std::string text =
      fmt::format("  {:<{}}  {:>5}  {:<24}  {}", printable(name), width, size, range, printable(meaning));
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string list_axes(const Dataset& data, size_t width) {
  std::string text = "axes\n";
  size_t column = 0;
  for (const SweepAxis& axis : data.axes)
    for (size_t i = 0; i < axis.names.size(); ++i)
      text += line(axis.names[i], width, i == 0 ? fmt::format("{}", axis.length()) : "with",
                   Range(axis.values[i]).text(), meaning_text(data, column++));
  return data.axes.empty() ? "one point\n" : text;
}

std::string list_columns(const Dataset& data, size_t width) {
  size_t first = 0;
  for (const SweepAxis& axis : data.axes) first += axis.names.size();
  std::string text = "columns\n";
  for (size_t c = first; c < data.table.columns.size(); ++c)
    text +=
        line(data.table.columns[c].name, width, "", Range(data.table.columns[c].values).text(), meaning_text(data, c));
  return text;
}

std::string list_arrays(const Dataset& data, size_t width) {
  if (data.arrays.empty()) return "";
  std::string text = "arrays\n";
  for (const Array& array : data.arrays) {
    std::vector<std::string> shape;
    for (const SweepAxis& axis : data.axes) shape.push_back(fmt::format("{} {}", axis.names[0], axis.length()));
    for (const Coordinate& coordinate : array.coordinates)
      shape.push_back(fmt::format("{} {}", coordinate.name, coordinate.values.size()));
    text += line(array.name, width, "", Range(array.values).text(),
                 fmt::format("{} ({})", with_unit(array.label, array.unit), fmt::join(shape, ", ")));
  }
  return text;
}

/// Points of y over x in a frame; logarithmic in x if x spans two decades.
std::string plot(const std::vector<double>& x, const std::vector<double>& y, const std::string& x_name,
                 const std::string& y_name) {
  constexpr size_t width = 64, height = 16;
  const Range x_range(x), y_range(y);
  if (x.size() < 2 || !(x_range.least < x_range.most) || !(y_range.least < y_range.most)) return "";
  const bool logarithmic = x_range.least > 0 && x_range.most / x_range.least >= 100;
  // Halves, since the difference of 1.7e308 and -1.7e308 would be infinite.
  const auto place = [](double value, double from, double to, size_t cells) {
    const double share = (value / 2 - from / 2) / (to / 2 - from / 2);
    return static_cast<size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(cells - 1)));
  };
  std::vector<std::string> rows(height, std::string(width, ' '));
  for (size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    const size_t across = logarithmic ? place(std::log(x[i]), std::log(x_range.least), std::log(x_range.most), width)
                                      : place(x[i], x_range.least, x_range.most, width);
    rows[height - 1 - place(y[i], y_range.least, y_range.most, height)][across] = '*';
  }
  const std::string top = fmt::format("{:.4g}", y_range.most), bottom = fmt::format("{:.4g}", y_range.least);
  const size_t margin = std::max(top.size(), bottom.size());
  std::string text =
      fmt::format("\n{} over {}{}\n", printable(y_name), printable(x_name), logarithmic ? " (logarithmic)" : "");
  for (size_t row = 0; row < height; ++row) {
    text += fmt::format("{:>{}} |{}", row == 0 ? top : row == height - 1 ? bottom : "", margin, rows[row]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  const std::string left = fmt::format("{:.4g}", x_range.least), right = fmt::format("{:.4g}", x_range.most);
  text += fmt::format("{:>{}} +{}\n", "", margin, std::string(width, '-'));
  return text + fmt::format("{:>{}}  {}{:>{}}\n", "", margin, left, right, width - left.size());
}

/// The first measured column over the first axis, at the first value of the others.
std::string plot_first(const Dataset& data) {
  if (data.axes.empty() || data.swept >= data.table.columns.size()) return "";
  const SweepAxis& axis = data.axes[0];
  const Column& column = data.table.columns[data.swept];
  const size_t stride = column.values.size() / axis.length();
  std::vector<double> y(axis.length());
  for (size_t i = 0; i < y.size(); ++i) y[i] = column.values[i * stride];
  std::string other_axes;
  for (size_t a = 1; a < data.axes.size(); ++a)
    other_axes += fmt::format("{}{} = {}", a == 1 ? " at " : ", ", data.axes[a].names[0], data.axes[a].values[0][0]);
  return plot(axis.values[0], y, axis.names[0] + other_axes, column.name);
}

}  // namespace

std::string show_text(const Dataset& data) {
  const size_t width = widest(data);
  std::string text;
  for (const char* name : {"title", "history"})
    if (!data.text(name).empty()) text += fmt::format("{:<8} {}\n", name, printable(data.text(name)));
  return text + list_axes(data, width) + list_columns(data, width) + list_arrays(data, width) + plot_first(data);
}

}  // namespace bmsim
