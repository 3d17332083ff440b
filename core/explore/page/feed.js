// What the server says, by one connection for all tabs of a browser: it has six to a host at most, and a seventh tab
// would wait for ever.

/** Calls tell(kind, text) for all that comes, "open" and "error". Returns what ends that. */
export function listen(tell) {
  let source = null, again = 0;
  const open = () => {
    source = new EventSource("events");
    for (const kind of ["motion", "state", "status", "failure"])
      source.addEventListener(kind, event => tell(kind, event.data));
    source.addEventListener("open", () => tell("open"));
    source.addEventListener("beat", () => fetch("here", { method: "POST" }).catch(() => {}));
    source.addEventListener("error", () => {
      tell("error");
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, 2000);
    });
  };
  open();
  return () => {
    clearTimeout(again);
    source.close();
  };
}

// In a worker that the tabs share. A tab that comes later hears first what was said last.
if ("onconnect" in self) {
  const ports = new Set(), last = new Map();
  let stop = null;
  const tell = (kind, text) => {
    if (kind === "error") last.clear();
    if (kind === "state" || kind === "status") last.delete("failure");
    last.delete(kind); // it goes to the end
    if (kind !== "error") last.set(kind, text);
    for (const port of ports) port.postMessage([kind, text]);
  };
  const leave = port => {
    ports.delete(port);
    if (ports.size > 0) return;
    stop();
    stop = null;
    last.clear();
  };
  self.onconnect = ({ ports: [port] }) => {
    ports.add(port);
    port.onmessage = () => leave(port);
    for (const [kind, text] of last) port.postMessage([kind, text]);
    stop ??= listen(tell);
  };
}
