// Texts from elsewhere, made fit for terminals and messages.
#pragma once
#include <string>
#include <string_view>

namespace bmsim {

/// The text with what a terminal would obey or hide in place of showing: control characters and bytes that are not
/// UTF-8 as \x1b, marks that turn the direction of writing as \u202e.
std::string printable(std::string_view text);
/// The same for a text of several lines: line feeds and tabs are kept.
std::string printable_lines(std::string_view text);

}  // namespace bmsim
