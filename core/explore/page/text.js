// The marked-up texts of plots, as gnuplot reads them, as elements: {/:Italic x}, _{P}, ^{2}, \_ for a plain sign.

function group(text, at) { // the index after the brace that closes text[at]
  let depth = 0;
  for (let i = at; i < text.length; ++i) {
    if (text[i] === "\\") { ++i; continue; }
    if (text[i] === "{") ++depth;
    if (text[i] === "}" && --depth === 0) return i + 1;
  }
  return text.length;
}

export function marked(text, into = document.createDocumentFragment()) {
  let plain = "";
  const flush = () => { if (plain) into.append(plain); plain = ""; };
  for (let i = 0; i < text.length;) {
    const c = text[i];
    if (c === "\\" && i + 1 < text.length) {
      plain += text[i + 1];
      i += 2;
    } else if ((c === "_" || c === "^") && i + 1 < text.length) {
      flush();
      const end = text[i + 1] === "{" ? group(text, i + 1) : i + 2;
      const inner = text[i + 1] === "{" ? text.slice(i + 2, end - 1) : text[i + 1];
      const small = document.createElement(c === "_" ? "sub" : "sup");
      marked(inner, small);
      into.append(small);
      i = end;
    } else if (c === "{") {
      flush();
      const end = group(text, i);
      let inner = text.slice(i + 1, end - 1), tag = "span";
      const font = inner.match(/^\/(\S*)\s/);
      if (font) {
        inner = inner.slice(font[0].length);
        if (/Italic/.test(font[1])) tag = "i";
        if (/Bold/.test(font[1])) tag = "b";
      }
      const element = document.createElement(tag);
      marked(inner, element);
      into.append(element);
      i = end;
    } else {
      plain += c;
      ++i;
    }
  }
  flush();
  return into;
}

export function set(element, text) { element.replaceChildren(marked(text ?? "")); }

// What a screen reader says of a marked-up text.
export function spoken(text) {
  const holder = document.createElement("span");
  marked(text ?? "", holder);
  return holder.textContent;
}

// Four digits, or as many as are given.
export function number(value, digits = 4) {
  if (value === null || Number.isNaN(value)) return "nan";
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}
