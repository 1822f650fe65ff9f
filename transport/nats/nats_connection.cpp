#include "transport/nats/nats_connection.hpp"

#include "messages/base/private_file.hpp"

#include <nats/nats.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using nats_sink_ptr = std::shared_ptr<const nats_sink>;

constexpr std::size_t batch_messages = 256;
constexpr int pings_unanswered = 2;
constexpr std::int64_t library_end_ms = 500;

template <auto Destroy>
struct nats_deleter {
  template <class T>
  void operator()(T* object) const {
    Destroy(object);
  }
};

using options_ptr = std::unique_ptr<natsOptions, nats_deleter<natsOptions_Destroy>>;
using message_ptr = std::unique_ptr<natsMsg, nats_deleter<natsMsg_Destroy>>;
using subscription_ptr = std::unique_ptr<natsSubscription, nats_deleter<natsSubscription_Destroy>>;

std::string header_of(natsMsg* message, const char* name) {
  const char* value = nullptr;
  if (natsMsgHeader_Get(message, name, &value) != NATS_OK || !value)
    return {};
  return value;
}

nats_message copy_of(natsMsg* message) {
  nats_message out;
  out.subject = natsMsg_GetSubject(message);
  if (const auto* reply = natsMsg_GetReply(message))
    out.reply = reply;
  if (const auto length = natsMsg_GetDataLength(message); length > 0)
    out.data.assign(natsMsg_GetData(message), static_cast<std::size_t>(length));
  out.status = header_of(message, "Status");
  for (std::size_t i = 0; i < nats_header_names.size(); ++i)
    out.headers[i] = header_of(message, nats_header_names[i]);
  return out;
}

/// What belongs to one subscription; touched by the one thread that delivers its messages.
struct subscription_batch {
  nats_sink_ptr sink;
  std::vector<nats_message> messages;
};

/// Collects what has come in meanwhile, so that one call passes many messages on.
void on_message(natsConnection*, natsSubscription* subscription, natsMsg* raw, void* closure) {
  const message_ptr message{raw};
  auto& batch = *static_cast<subscription_batch*>(closure);
  batch.messages.push_back(copy_of(raw));
  int waiting = 0;
  natsSubscription_GetPending(subscription, &waiting, nullptr);
  if (waiting == 0 || batch.messages.size() >= batch_messages)
    batch.sink->take(std::exchange(batch.messages, {}));
}

void on_complete(void* closure) {
  delete static_cast<subscription_batch*>(closure);
}

void on_closed(natsConnection*, void* closure) {
  const std::unique_ptr<nats_sink_ptr> sink{static_cast<nats_sink_ptr*>(closure)};
  (*sink)->lost();
}

/// The library's own handler writes to stderr. What a slow subscription loses is missed and asked
/// for again by whoever counts the messages.
void on_error(natsConnection* connection, natsSubscription*, natsStatus status, void* closure) {
  const char* text = nullptr;
  if (status == NATS_NOT_PERMITTED && natsConnection_GetLastError(connection, &text) == status &&
      text)
    (*static_cast<nats_sink_ptr*>(closure))->refused(text);
}

/// The library's text of an error without the place in its source that it begins with.
std::string_view library_text(natsStatus status) {
  natsStatus last = NATS_OK;
  const auto* text = nats_GetLastError(&last);
  if (!text || last != status)
    return {};
  std::string_view out{text};
  if (const auto end = out.find("): "); out.starts_with('(') && end != std::string_view::npos)
    out.remove_prefix(end + 3);
  return out;
}

std::string reason_of(natsStatus status) {
  std::string out = natsStatus_GetText(status);
  if (const auto text = library_text(status); !text.empty() && text != out)
    out.append(" (").append(text) += ')';
  return out;
}

bool wants_tls(const nats_settings& settings) {
  return !settings.tls_ca.empty() || !settings.tls_cert.empty() ||
         std::any_of(settings.servers.begin(), settings.servers.end(),
                     [](const auto& url) { return url.starts_with("tls://"); });
}

/// What to look at when a server cannot be used for that reason.
std::string_view advice_on(natsStatus status, const nats_settings& settings) {
  switch (status) {
  case NATS_CONNECTION_AUTH_FAILED:
    return " Look at the login in nats.url and at nats.credentials_file.";
  case NATS_SECURE_CONNECTION_WANTED:
    return " It offers no TLS: leave out tls:// and nats.tls, or have it offer TLS.";
  case NATS_SSL_ERROR:
    return " Look at nats.tls and at the host name in nats.url.";
  case NATS_PROTOCOL_ERROR:
  case NATS_CONNECTION_CLOSED:
  case NATS_IO_ERROR:
    // With TLS 1.3 a server refuses a certificate after the client has taken TLS for settled.
    return wants_tls(settings) ? " It may want a client certificate, or know no issuer of the one "
                                 "that it got: look at nats.tls.cert and nats.tls.key."
                               : "";
  case NATS_ERR:
    return settings.credentials_file.empty() ? "" : " Look at nats.credentials_file.";
  default:
    return "";
  }
}

/// Keys are read by the library, so they are looked at before.
std::optional<user_error> exposed_key(const nats_settings& settings) {
  for (const auto& [name, file] : {std::pair{"nats.credentials_file ", settings.credentials_file},
                                   std::pair{"nats.tls.key ", settings.tls_key}}) {
    struct stat about {};
    if (file.empty() || ::stat(file.c_str(), &about) != 0)
      continue; // the library says what is wrong
    if (const auto problem = secrecy_problem(about))
      return user_error{name + file.string() + " " + *problem +
                        "; make it yours alone with `chmod "
                        "600 " +
                        file.string() + "`."};
  }
  return std::nullopt;
}

natsStatus set_tls(natsOptions* options, const nats_settings& settings) {
  if (!wants_tls(settings))
    return NATS_OK;
  auto status = natsOptions_SetSecure(options, true);
  if (status == NATS_OK && !settings.tls_ca.empty())
    status = natsOptions_LoadCATrustedCertificates(options, settings.tls_ca.c_str());
  if (status == NATS_OK && !settings.tls_cert.empty())
    status = natsOptions_LoadCertificatesChain(options, settings.tls_cert.c_str(),
                                               settings.tls_key.c_str());
  return status;
}

natsStatus set_servers(natsOptions* options, const nats_settings& settings) {
  std::vector<const char*> urls;
  for (const auto& url : settings.servers)
    urls.push_back(url.c_str());
  auto status = natsOptions_SetServers(options, urls.data(), static_cast<int>(urls.size()));
  if (status == NATS_OK)
    status = natsOptions_SetNoRandomize(options, true);
  if (status == NATS_OK)
    status = natsOptions_SetName(options, "gasoline");
  if (status == NATS_OK && !settings.credentials_file.empty())
    status = natsOptions_SetUserCredentialsFromFiles(options, settings.credentials_file.c_str(),
                                                     nullptr);
  return status == NATS_OK ? set_tls(options, settings) : status;
}

natsStatus set_behaviour(natsOptions* options, std::chrono::milliseconds patience,
                         std::chrono::milliseconds ping_every, nats_sink_ptr* sink) {
  auto status = natsOptions_SetAllowReconnect(options, false);
  if (status == NATS_OK)
    status = natsOptions_SetTimeout(options, patience.count());
  if (status == NATS_OK)
    status = natsOptions_SetWriteDeadline(options, patience.count());
  if (status == NATS_OK)
    status = natsOptions_SetPingInterval(options, ping_every.count());
  if (status == NATS_OK)
    status = natsOptions_SetMaxPingsOut(options, pings_unanswered);
  if (status == NATS_OK)
    status = natsOptions_SetErrorHandler(options, on_error, sink);
  if (status == NATS_OK)
    status = natsOptions_SetClosedCB(options, on_closed, sink);
  return status;
}

/// After TLS the library frees OpenSSL's list of compression methods when the process exits, and
/// OpenSSL frees it again (nats.c issue 904), which ends in a crash. Nobody needs the list, so
/// neither is left anything to free.
void take_compression_methods() {
  SSL_COMP_get_compression_methods(); // makes it, or it would be made after this
  sk_SSL_COMP_pop_free(SSL_COMP_set0_compression_methods(nullptr),
                       [](SSL_COMP* method) { OPENSSL_free(method); });
}

} // namespace

class nats_connection::impl {
 public:
  explicit impl(nats_sink_ptr sink) : sink_(std::move(sink)) {}
  impl(const impl&) = delete;
  impl& operator=(const impl&) = delete;
  ~impl() {
    // The connection first: it tells the subscriptions that they are over.
    if (connection_)
      natsConnection_Close(connection_);
    subscriptions_.clear();
    natsConnection_Destroy(connection_);
  }

  natsStatus connect(natsOptions* options, const nats_settings& settings) {
    auto status = natsConnection_Connect(&connection_, options);
    // nats.c 3.4 sends no signature when its first byte is 0, so that one login in 256 is refused.
    // Each attempt signs another challenge.
    if (status == NATS_CONNECTION_AUTH_FAILED && !settings.credentials_file.empty())
      status = natsConnection_Connect(&connection_, options);
    return status;
  }

  natsStatus subscribe(const std::string& subject) {
    auto batch = std::make_unique<subscription_batch>(subscription_batch{sink_, {}});
    natsSubscription* made = nullptr;
    auto status =
        natsConnection_Subscribe(&made, connection_, subject.c_str(), on_message, batch.get());
    if (status != NATS_OK)
      return status;
    subscriptions_.emplace_back(made);
    status = natsSubscription_SetOnCompleteCB(made, on_complete, batch.get());
    // Without that call its messages may still come, so it cannot be freed.
    static_cast<void>(batch.release());
    return status;
  }

  natsStatus publish(natsMsg* message) { return natsConnection_PublishMsg(connection_, message); }

 private:
  nats_sink_ptr sink_;
  natsConnection* connection_ = nullptr;
  std::vector<subscription_ptr> subscriptions_;
};

nats_connection::nats_connection(std::unique_ptr<impl> own) : impl_(std::move(own)) {
  natsInbox* inbox = nullptr;
  if (natsInbox_Create(&inbox) == NATS_OK)
    inbox_ = inbox;
  natsInbox_Destroy(inbox);
}

nats_connection::~nats_connection() = default;

result_or<std::unique_ptr<nats_connection>>
nats_connection::open(const nats_settings& settings, std::chrono::milliseconds patience,
                      std::chrono::milliseconds ping_every, nats_sink sink) {
  if (auto problem = exposed_key(settings))
    return tl::unexpected(std::move(*problem));
  const auto shared = std::make_shared<const nats_sink>(std::move(sink));
  auto closure = std::make_unique<nats_sink_ptr>(shared);
  natsOptions* made = nullptr;
  auto status = natsOptions_Create(&made);
  const options_ptr options{made};
  if (status == NATS_OK)
    status = set_servers(made, settings);
  if (status == NATS_OK)
    status = set_behaviour(made, patience, ping_every, closure.get());
  auto own = std::make_unique<impl>(shared);
  if (status == NATS_OK)
    status = own->connect(made, settings);
  if (status != NATS_OK)
    return tl::unexpected(user_error{"The NATS server at " + shown_servers(settings) +
                                     " cannot be used: " + reason_of(status) + "." +
                                     std::string{advice_on(status, settings)}});
  static_cast<void>(closure.release()); // on_closed frees it
  return std::unique_ptr<nats_connection>{new nats_connection(std::move(own))};
}

bool nats_connection::subscribe(const std::string& subject) {
  return impl_->subscribe(subject) == NATS_OK;
}

std::optional<user_error> nats_connection::publish(const nats_message& message) {
  natsMsg* made = nullptr;
  auto status = natsMsg_Create(&made, message.subject.c_str(),
                               message.reply.empty() ? nullptr : message.reply.c_str(),
                               message.data.data(), static_cast<int>(message.data.size()));
  const message_ptr owned{made};
  for (std::size_t i = 0; status == NATS_OK && i < nats_header_names.size(); ++i)
    if (!message.headers[i].empty())
      status = natsMsgHeader_Set(made, nats_header_names[i], message.headers[i].c_str());
  if (status == NATS_OK)
    status = impl_->publish(made);
  if (status == NATS_OK)
    return std::nullopt;
  return user_error{reason_of(status)};
}

nats_library::~nats_library() {
  nats_ReleaseThreadMemory();
  nats_CloseAndWait(library_end_ms);
  take_compression_methods();
}

} // namespace gasoline
