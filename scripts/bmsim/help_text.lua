-- Markdown for a terminal: without pictures, HTML and marks; tables in columns, lines of a width that can be read.
local text = {}

local width = 96

-- What a text takes on the screen: a character is what begins in UTF-8.
local function length(s)
  local _, count = s:gsub("[^\128-\191]", "")
  return count
end

--- Without the marks within a line: links, emphasis, tags. Code keeps its own: `from` is no English word.
function text.plain(line)
  local codes = {}
  -- Code is set aside: what looks like a mark in it is none.
  line = line:gsub("`[^`]+`", function(code)
    codes[#codes + 1] = code
    return "\1" .. #codes .. "\2"
  end)
  line = line:gsub("!%b[]%b()", ""):gsub("%[([^%[%]]*)%]%b()", "%1"):gsub("</?%a[^>]*>", "")
  line = line:gsub("%*%*(.-)%*%*", "%1"):gsub("%*(%a[^*]*)%*", "%1"):gsub("\\([|*_<>])", "%1")
  return (line:gsub("\1(%d+)\2", function(number) return codes[tonumber(number)] end))
end

-- The lines of a text of at most this width.
local function lines_of(s, most)
  local lines, line = {}, ""
  for word in s:gmatch "%S+" do
    if line ~= "" and length(line) + 1 + length(word) > most then
      lines[#lines + 1], line = line, word
    else
      line = line == "" and word or line .. " " .. word
    end
  end
  if line ~= "" or #lines == 0 then lines[#lines + 1] = line end
  return lines
end

--- A paragraph. first: what its first line begins with; others are indented as far.
function text.wrapped(s, first)
  local lines = lines_of(s, width - #first)
  return first .. table.concat(lines, "\n" .. (" "):rep(#first)) .. "\n"
end

local function cells_of(row)
  local cells = {}
  for cell in row:gsub("\\|", "\3"):gsub("^|", ""):gmatch "([^|]*)|" do
    cells[#cells + 1] = text.plain((cell:gsub("\3", "|"))):match "^%s*(.-)%s*$"
  end
  return cells
end

-- Widths of columns: as wide as their cells, the widest ones narrowed until all fit.
local function widths_of(rows)
  local widths, sum = {}, 0
  for _, row in ipairs(rows) do
    for c, cell in ipairs(row) do widths[c] = math.max(widths[c] or 0, length(cell)) end
  end
  for _, one in ipairs(widths) do sum = sum + one + 2 end
  while sum > width do
    local widest = 1
    for c, one in ipairs(widths) do
      if one > widths[widest] then widest = c end
    end
    if widths[widest] <= 8 then break end
    widths[widest], sum = widths[widest] - 1, sum - 1
  end
  return widths
end

local function table_of(source)
  local rows = {}
  for i, row in ipairs(source) do
    if i ~= 2 then rows[#rows + 1] = cells_of(row) end
  end
  local has_heading = table.concat(rows[1]) ~= ""
  if not has_heading then table.remove(rows, 1) end
  local widths, out = widths_of(rows), {}
  for i, row in ipairs(rows) do
    local parts, most = {}, 1
    for c, cell in ipairs(row) do
      parts[c] = lines_of(cell, widths[c])
      most = math.max(most, #parts[c])
    end
    for k = 1, most do
      local line = ""
      for c = 1, #row do
        local part = parts[c][k] or ""
        line = line .. part .. (" "):rep(widths[c] - length(part) + 2)
      end
      out[#out + 1] = (line:gsub(" +$", ""))
    end
    if i == 1 and has_heading then
      local rule = {}
      for c, one in ipairs(widths) do rule[c] = ("-"):rep(one) end
      out[#out + 1] = table.concat(rule, "  "):match "^(.-) *$"
    end
  end
  return table.concat(out, "\n") .. "\n"
end

local function heading(marks, title)
  title = text.plain(title)
  if #marks == 1 then return title .. "\n" .. ("="):rep(length(title)) .. "\n" end
  return #marks == 2 and title .. "\n" .. ("-"):rep(length(title)) .. "\n" or title .. "\n"
end

-- What a line of a page is, outside of code.
local function kind_of(line)
  if line:find "^%s*$" then return "empty" end
  if line:find "^#" then return "heading" end
  if line:find "^|" then return "table" end
  if line:find "^    " then return "indented" end
  if line:find "^%s*!%[" or line:find "^%s*<" then return "picture" end
  return "text"
end

--- A page for the terminal.
function text.clean(page)
  local out, paragraph, rows, code = {}, {}, {}, nil
  local function put(s)
    if s ~= "\n" or (#out > 0 and out[#out] ~= "\n") then out[#out + 1] = s end
  end
  local function flush()
    if #paragraph > 0 then
      local first = paragraph[1]:match "^%s*[-*] +" or paragraph[1]:match "^%s*%d+%. +" or ""
      paragraph[1] = paragraph[1]:sub(#first + 1)
      put(text.wrapped(text.plain(table.concat(paragraph, " ")), first))
    end
    if #rows > 0 then put(table_of(rows)) end
    paragraph, rows = {}, {}
  end
  for line in (page .. "\n"):gmatch "(.-)\n" do
    local kind = code and "code" or kind_of(line)
    if line:find "^%s*```" then
      flush()
      code = not code or nil
    elseif kind == "code" then
      put(line == "" and "\n" or "    " .. line .. "\n")
    elseif kind == "text" then
      if line:find "^%s*[-*] " or line:find "^%s*%d+%. " then flush() end
      paragraph[#paragraph + 1] = line
    elseif kind == "table" then
      rows[#rows + 1] = line
    else
      flush()
      if kind == "heading" then put(heading(line:match "^(#+) *(.*)$")) end
      if kind == "indented" then put(line .. "\n") end
      if kind == "empty" then put "\n" end
    end
  end
  flush()
  return table.concat(out):match "^(.-)\n*$" .. "\n"
end

--- What stands under the heading of second order with this title, to the next one.
function text.section(page, title)
  local _, from = page:find("\n## " .. title .. "\n", 1, true)
  local to = page:find("\n## ", from, true)
  return page:sub(from, to or -1):match "^(.-)\n*$"
end

--- Iterates over the sections of third order: title, text.
function text.sections(page)
  local next_heading = page:gmatch "\n### ([^\n]*)\n()"
  return function()
    local title, from = next_heading()
    if not title then return nil end
    local to = page:find("\n##+ ", from)
    return title, page:sub(from, (to or 0) - 1):match "^%s*(.-)%s*$"
  end
end

--- The row of a table whose first cell has `name`, under the table's heading; nil if there is none.
function text.row(page, name)
  local head
  for line in page:gmatch "[^\n]+" do
    local first = line:match "^(|[^|]*|)"
    if not first then
      head = nil
    elseif not head then
      head = { line }
    elseif #head == 1 then
      head[2] = line
    else
      for code in first:gmatch "`([^`]+)`" do
        if code:match "^%S+" == name then return table.concat({ head[1], head[2], line }, "\n") end
      end
    end
  end
end

return text
