// bmsim/explore: serves the page of `bmsim explore` on this computer alone, and keeps the process that runs the script.
// explore --port N --page DIR [--browser] -- COMMAND...
#include <httplib.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "connections.h"
#include "page.h"

namespace bmsim::explore {
namespace {

using httplib::Request;
using httplib::Response;

constexpr const char* address = "127.0.0.1";
constexpr double grace = 20;  // seconds without a tab, after which the process ends and the device is free

struct Settings {
  int port = 0;
  std::string page;
  bool browser = false;
  std::vector<std::string> command;
};

Settings read_settings(int argc, char** argv) {
  Settings settings;
  int i = 1;
  for (; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string_view word = argv[i];
    if (word == "--browser") {
      settings.browser = true;
    } else if (word == "--page" && i + 1 < argc) {
      settings.page = argv[++i];
    } else if (word == "--port" && i + 1 < argc) {
      const std::string_view text = argv[++i];
      const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), settings.port);
      if (code != std::errc() || end != text.data() + text.size() || settings.port < 0 || settings.port > 65535)
        throw std::runtime_error("--port must be a number from 0 to 65535, got '" + std::string(text) + "'");
    }
  }
  for (++i; i < argc; ++i) settings.command.emplace_back(argv[i]);
  if (settings.command.empty() || settings.page.empty())
    throw std::runtime_error("it is started by bmsim explore script.lua");
  return settings;
}

// What only those who have the link know. BMSIM_EXPLORE_TOKEN lets a link outlive the server.
std::string make_token() {
  constexpr size_t shortest = 16;
  if (const char* given = std::getenv("BMSIM_EXPLORE_TOKEN"); given != nullptr) {
    const std::string token = given;
    if (token.size() < shortest || token.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz") != token.npos)
      throw std::runtime_error("BMSIM_EXPLORE_TOKEN must be at least 16 small letters and digits");
    return token;
  }
  std::array<unsigned char, 20> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("no random numbers");
  std::string token;
  for (const unsigned char byte : bytes) token += "abcdefghijklmnopqrstuvwxyz234567"[byte % 32];
  return token;
}

bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned different = 0;
  for (size_t i = 0; i < a.size(); ++i) different |= static_cast<unsigned>(a[i] ^ b[i]);
  return different == 0;
}

// Whether a host is this computer, with any port: a tunnel has another. Names that somebody lets lead here are not.
bool is_local(std::string_view host) {
  for (const std::string_view name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (!host.starts_with(name)) continue;
    const std::string_view rest = host.substr(name.size());
    constexpr size_t longest = 6;  // ":65535"
    return rest.empty() || (rest[0] == ':' && rest.size() > 1 && rest.size() <= longest &&
                            rest.find_first_not_of("0123456789", 1) == rest.npos);
  }
  return false;
}

// Whether a request was made by a page of this server, or by no page.
bool is_ours(const Request& request) {
  const std::string host = request.get_header_value("Host"), origin = request.get_header_value("Origin");
  for (const char* name : {"Host", "Origin", "Sec-Fetch-Site"})
    if (request.get_header_value_count(name) > 1) return false;
  if (!is_local(host)) return false;
  if (!origin.empty() && origin != "http://" + host) return false;
  const std::string site = request.get_header_value("Sec-Fetch-Site");
  return site.empty() || site == "same-origin" || site == "none";
}

void set_headers(Response& response) {
  const std::pair<const char*, const char*> headers[] = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"}};
  for (const auto& [name, value] : headers) response.set_header(name, value);
}

std::string read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error("cannot read '" + file + "'");
  return text.str();
}

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

class Server {
 public:
  Server(const Settings& settings, std::string token)
      : token_(std::move(token)),
        worker_(
            settings.command, [this](Frame frame) { page_.hear(std::move(frame)); },
            [this](const std::string& why) { page_.fail(why); }) {
    constexpr size_t threads = 160;  // more than tabs, their requests, and connections without the token
    server_.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    // cpp-httplib's own option would let another server of this user have the port, too, and half of the requests.
    server_.set_socket_options([](auto socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    constexpr size_t longest = 65536;
    server_.set_payload_max_length(longest);
    server_.set_tcp_nodelay(true);
    server_.set_keep_alive_max_count(1000);
    server_.set_pre_routing_handler([this](const Request& request, Response& response) {
      set_headers(response);
      const std::string inside = "/" + token_ + "/";
      const bool ours = is_ours(request);
      if (ours && same(std::string_view(request.path).substr(0, inside.size()), inside)) {
        connections_.trust(request.remote_port);
        return httplib::Server::HandlerResponse::Unhandled;
      }
      connections_.refuse(request.remote_port);
      response.status = 403;
      response.set_content(ours ? "This link belongs to another start of bmsim explore, which has ended. "
                                  "Open the one that it has printed.\n"
                                : "Not from here.\n",
                           "text/plain; charset=utf-8");
      return httplib::Server::HandlerResponse::Handled;
    });
    const httplib::Server::HandlerWithResponse part = [](const Request&, Response& response) {
      response.set_header("Connection", "close");
      return httplib::Server::HandlerResponse::Unhandled;
    };
    server_.set_error_handler(part);
    serve_files(settings.page);
    serve_events();
    serve_here();
    serve_values();
    serve_downloads();
    bind(settings.port);
    connections_.watch(port_);
  }

  std::string link() const {
    return "http://" + std::string(address) + ":" + std::to_string(port_) + "/" + token_ + "/";
  }

  void run() {
    std::thread serving([this] { server_.listen_after_bind(); });
    std::thread keeping([this] { keep(); });
    const sigset_t ends = ending_signals();
    int signal = 0;
    sigwait(&ends, &signal);
    page_.end();
    server_.stop();
    connections_.end();
    serving.join();
    keeping.join();
    worker_.stop();
  }

 private:
  // A server that was killed a moment ago may still have the port.
  void bind(int port) {
    constexpr int tries = 20;
    constexpr std::chrono::milliseconds pause{50};
    for (int i = 0; i < tries; ++i, std::this_thread::sleep_for(pause)) {
      errno = 0;
      port_ = port == 0 ? server_.bind_to_any_port(address) : (server_.bind_to_port(address, port) ? port : -1);
      if (port_ > 0) return;
      if (errno == EACCES)
        throw std::runtime_error("port " + std::to_string(port) + " is not for this user; --port 0 finds a free one");
    }
    throw std::runtime_error("port " + std::to_string(port) + " is taken; --port 0 finds a free one");
  }

  void serve(const std::string& name, const std::string& type, const std::string& content) {
    server_.Get("/" + token_ + "/" + name,
                [type, content](const Request&, Response& response) { response.set_content(content, type); });
  }

  // The files are read once; no name comes from a request.
  void serve_files(const std::string& directory) {
    serve("", "text/html; charset=utf-8", read_file(directory + "/index.html"));
    serve("explore\\.css", "text/css; charset=utf-8", read_file(directory + "/explore.css"));
    for (const char* name : {"explore", "feed", "plots", "motion", "text", "chart"})
      serve(std::string(name) + "\\.js", "text/javascript; charset=utf-8", read_file(directory + "/" + name + ".js"));
    serve("icon\\.svg", "image/svg+xml", read_file(directory + "/icon.svg"));
  }

  /// What a tab has been sent.
  struct Tab {
    uint64_t seen = 0;
    Page::Clock::time_point next_beat = Page::Clock::now() + between_beats;
  };

  void serve_events() {
    server_.Get("/" + token_ + "/events", [this](const Request&, Response& response) {
      if (!page_.open()) {
        response.status = 503;
        return response.set_content("Too many tabs are open.\n", "text/plain; charset=utf-8");
      }
      start_worker();
      response.set_chunked_content_provider(
          "text/event-stream",
          [this, tab = std::make_shared<Tab>()](size_t, httplib::DataSink& sink) {
            if (page_.has_ended()) {
              sink.done();
              return true;
            }
            std::string text = page_.news(tab->seen);
            if (Page::Clock::now() >= tab->next_beat) {
              tab->next_beat = Page::Clock::now() + between_beats;
              text += "event: beat\ndata: -\n\n";
            }
            if (text.empty()) text = ":\n\n";
            return sink.is_writable() && sink.write(text.data(), text.size());
          },
          [this](bool) { page_.close(); });
    });
  }

  // A tab answers a beat.
  void serve_here() {
    server_.Post("/" + token_ + "/here", [this](const Request&, Response& response) {
      page_.heard();
      start_worker();
      response.status = 204;
    });
  }

  void serve_values() {
    server_.Post("/" + token_ + "/values", [this](const Request& request, Response& response) {
      constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~%=&+";
      if (request.body.find_first_not_of(letters) != std::string::npos) {
        response.status = 400;
        return response.set_content("Values must be NAME=VALUE&NAME=VALUE.\n", "text/plain; charset=utf-8");
      }
      page_.heard();
      const uint64_t version = page_.set(request.body);
      if (!worker_.tell(page_.line())) start_worker();
      response.set_content("{\"version\":" + std::to_string(version) + "}", "application/json");
    });
  }

  void serve_downloads() {
    server_.Get("/" + token_ + R"(/take/(script|p\d{1,6})\.(svg|pdf|csv|nc|lua))",
                [this](const Request& request, Response& response) {
                  constexpr auto patience = std::chrono::seconds(60);
                  std::future<Taken> answer;
                  const uint64_t id = page_.ask(answer);
                  const std::string panel = request.matches[1], format = request.matches[2];
                  Taken taken{"", "", "", "there is nothing yet"};
                  if (worker_.tell("take " + std::to_string(id) + " " + panel + " " + format)) {
                    taken.failure = "it takes too long";
                    if (answer.wait_for(patience) == std::future_status::ready) taken = answer.get();
                  }
                  page_.forget(id);
                  if (!taken.failure.empty()) {
                    response.status = 409;
                    return response.set_content(taken.failure + "\n", "text/plain; charset=utf-8");
                  }
                  response.set_header("Content-Disposition", "attachment; filename=\"" + taken.name + "\"");
                  response.set_content(taken.bytes, taken.type);
                });
  }

  void start_worker() {
    try {
      if (worker_.is_running()) return;
      worker_.start();
      worker_.tell(page_.line());
    } catch (const std::exception& error) {
      page_.fail(error.what());
    }
  }

  // Ends the process when nobody looks.
  void keep() {
    while (!page_.has_ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      if (!worker_.is_running() || page_.alone().value_or(0) <= grace) continue;  // a tab comes before its process
      worker_.stop();
      if (!page_.alone()) start_worker();  // a tab has come in the meantime
    }
  }

  const std::string token_;
  Page page_;
  Worker worker_;
  Connections connections_;
  httplib::Server server_;
  int port_ = 0;
};

// Where there is a desktop.
void open_browser(const std::string& link) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  try {
    std::thread([child = start_process({"xdg-open", link}, -1, -1)] { waitpid(child, nullptr, 0); }).detach();
  } catch (const std::runtime_error&) {  // the link is printed
  }
}

}  // namespace
}  // namespace bmsim::explore

int main(int argc, char** argv) {
  using namespace bmsim::explore;
  const sigset_t ends = ending_signals();
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // of all threads: one waits for them
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const Settings settings = read_settings(argc, argv);
    Server server(settings, make_token());
    std::printf("bmsim explore: %s\nOnly this link opens the page. Ctrl-C ends it.\n", server.link().c_str());
    std::fflush(stdout);
    if (settings.browser) open_browser(server.link());
    server.run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bmsim: explore: %s\n", error.what());
    return 2;
  }
  return 0;
}
