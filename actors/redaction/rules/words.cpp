#include "actors/redaction/rules/words.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace gasoline::redaction {

word_list::word_list(std::string_view spaced) {
  for (std::size_t begin = 0; begin < spaced.size();) {
    const std::size_t end = std::min(spaced.find(' ', begin), spaced.size());
    if (end > begin)
      words_.push_back(spaced.substr(begin, end - begin));
    begin = end + 1;
  }
  endings_ = words_;
  const auto first = [](auto word) { return static_cast<unsigned char>(word.front()); };
  const auto last = [](auto word) { return static_cast<unsigned char>(word.back()); };
  std::sort(words_.begin(), words_.end(), [&](auto a, auto b) { return first(a) < first(b); });
  std::sort(endings_.begin(), endings_.end(), [&](auto a, auto b) { return last(a) < last(b); });
  for (const auto word : words_)
    ++word_begins_[first(word) + std::size_t{1}];
  for (const auto word : endings_)
    ++ending_begins_[last(word) + std::size_t{1}];
  std::partial_sum(word_begins_.begin(), word_begins_.end(), word_begins_.begin());
  std::partial_sum(ending_begins_.begin(), ending_begins_.end(), ending_begins_.begin());
}

std::span<const std::string_view> word_list::part(const std::vector<std::string_view>& words,
                                                  const row& begins, char c) {
  const std::size_t byte = static_cast<unsigned char>(c);
  return std::span{words}.subspan(begins[byte], begins[byte + 1] - begins[byte]);
}

bool word_list::has(std::string_view word) const {
  if (word.empty())
    return false;
  const auto some = part(words_, word_begins_, word.front());
  return std::any_of(some.begin(), some.end(), [&](auto each) { return each == word; });
}

bool word_list::has_ending(std::string_view text) const {
  if (text.empty())
    return false;
  const auto some = part(endings_, ending_begins_, text.back());
  return std::any_of(some.begin(), some.end(), [&](auto end) { return text.ends_with(end); });
}

const word_list& strong_endings() {
  static const word_list list{
      "password passwords passwd passphrase passcode secret secrets token apikey apikeys accesskey "
      "secretkey privatekey sessionid sessid credential credentials cookie authorization "
      "passwort kennwort motdepasse contrasena contraseña wachtwoord lösenord losenord passord "
      "adgangskode hasło пароль Пароль ПАРОЛЬ 密码 密碼 口令 パスワード 暗証番号 비밀번호 şifre "
      "Şifre salasana lozinka jelszó jelszo סיסמה รหัสผ่าน"};
  return list;
}

const word_list& strong_names() {
  static const word_list list{
      "signingkeys encryptionkeys userpw dbpw oldpw newpw adminpw "
      "rootpw pwd passwrd apikey accesskey secretkey privatekey encryptionkey signingkey masterkey "
      "accountkey sharedkey sharedaccesskey sessionkey authkey consumerkey subscriptionkey "
      "functionskey hmackey aeskey licensekey writekey adminkey servicekey appkey applicationkey "
      "deploykey clientkey clientkeydata serverkey sentrykey instrumentationkey integrationkey "
      "ingestionkey jwtkey tokenkey validationkey decryptionkey presharedkey networkkey wifikey "
      "privkey unsealkey rootkey setupkey recoverykey secretaccesskey accesskeysecret "
      "consumersecret clientassertion "
      "oauthverifier oauthsignature accesscode resetcode smscode logincode psw pswd psswd pswrd "
      "paswd pasword passowrd passw passwrd "
      "pword pwrd mdp upass snmpcommunity rocommunity rwcommunity githuboauth gitlaboauth "
      "bitbucketoauth githubpat gitlabpat azurepat "
      "devopspat wpapassphrase clientsecretid passwort1 "
      "sessionid setcookie "
      "cardnumber creditcard securitycode verificationcode authcode authorizationcode otpcode "
      "mfacode 2facode recoverycode recoverycodes backupcode backupcodes onetimecode codeverifier "
      "seedphrase recoveryphrase mnemonic securitynumber securityanswer secretanswer ssn cvv cvc "
      "otp totp jwt samlresponse samlrequest jwtassertion sharedaccesssignature requirepass "
      "masterauth psk wpapsk bindpw storepass keypass sonarlogin motdepasse palavrapasse senha "
      "heslo parola sifre "
      "haslo المرور السر"};
  return list;
}

const word_list& password_endings() {
  static const word_list list{
      "password passwd passphrase passcode pwd passwort kennwort contrasena "
      "contraseña senha wachtwoord lösenord passord hasło пароль Пароль "
      "motdepasse 密码 密碼 パスワード 비밀번호"};
  return list;
}

const word_list& weak_names() {
  static const word_list list{
      "session auth pin pass sid csrf xsrf bearer passkey pw salt userpass dbpass clave newpass "
      "oldpass confirmpass curpass currentpass loginpass adminpass rootpass mypass repass "
      "retypepass verifypass repeatpass ftppass smtppass mailpass emailpass sqlpass mysqlpass "
      "httppass wifipass signuppass passconf passconfirm passrepeat passverify confirmpw loginpw "
      "ftppw smtppw mailpw curpw"};
  return list;
}

const word_list& plural_endings() {
  static const word_list list{"tokens cookies apikeys accesskeys secretkeys privatekeys"};
  return list;
}

const word_list& harmless_endings() {
  static const word_list list{"publickeytoken cancellationtoken canceltoken nextpagetoken "
                              "prevpagetoken existingsecret designtoken designtokens"};
  return list;
}

const word_list& vendor_words() {
  static const word_list list{
      "openai stripe sendgrid gemini supabase anthropic claude mapbox maps googlemaps gmaps "
      "turnstile recaptcha hcaptcha twilio mailgun mailchimp postmark resend algolia meilisearch "
      "typesense pusher ably firebase fcm aws azure gcp google cloudflare datadog newrelic segment "
      "mixpanel amplitude posthog github gitlab slack discord telegram mistral groq cohere "
      "perplexity deepseek openrouter replicate huggingface elevenlabs deepgram assemblyai "
      "pinecone "
      "weaviate qdrant langsmith vercel netlify heroku render railway fly digitalocean linode "
      "vultr "
      "hetzner doppler planetscale neon upstash fauna contentful sanity storyblok prismic notion "
      "airtable linear jira figma intercom zendesk hubspot salesforce shopify paypal braintree "
      "square "
      "adyen klarna plaid coinbase infura alchemy etherscan moralis tmdb omdb openweather weather "
      "newsapi unsplash pexels giphy youtube spotify twitch facebook instagram tiktok linkedin "
      "mailjet brevo sparkpost vonage nexmo messagebird onesignal expo apns sentry bugsnag rollbar "
      "honeybadger logrocket launchdarkly optimizely split flagsmith statsig clerk auth0 okta "
      "workos magic stytch cloudinary imgix uploadcare tinify deepl translate here tomtom bing "
      "rapidapi serpapi scraperapi browserless grafana honeycomb axiom logtail papertrail vapid "
      "xai nvidia together fireworks voyage jina cerebras"};
  return list;
}

const word_list& harmless_key_words() {
  static const word_list list{
      "primary sort foreign cache storage partition author public pub host unique index row lookup "
      "group map object document doc file bucket i18n locale lang language translation react focus "
      "shortcut hot hash registry routing dedup dedupe idempotency event message msg json yaml "
      "config "
      "setting settings metric feature flag query search name entity item parent child current "
      "next "
      "prev previous last first delete insert enter escape esc arrow up down left right tab shift "
      "ctrl control alt meta option command cmd space backspace home end page function fn modifier "
      "mod any press which candidate composite compound natural surrogate range cluster clustering "
      "shard join column col table db database redis memcache s3 window trace log theme state "
      "draft "
      "user tag label lock mutex queue topic channel stream batch job task issue project epic "
      "request "
      "response header field property prop param attr attribute data value type kind class id slug "
      "path route url version build commit date time period month customer order product tenant "
      "answer test default custom list node tree root leaf edge section module component store "
      "slice "
      "reducer action mutation getter context provider session_storage local localstorage persist "
      "form input model schema namespace ns prefix suffix base offset map_item sorting filter "
      "group_by "
      "region zone country city space publishable ssh gpg pgp fingerprint checksum digest etag cdn "
      "environment env node_env menu help music piano major minor car door house turn low"};
  return list;
}

const word_list& tail_words() {
  static const word_list list{
      "value val hash confirm confirmation again repeat plain plaintext raw text encoded encrypted "
      "header string old new current base"};
  return list;
}

const word_list& parameter_names() {
  static const word_list list{
      "code key sig signature assertion ticket x-amz-signature x-goog-signature x-goog-credential "
      "x-oss-signature awsaccesskeyid pw hapikey hmac oauth_verifier oauth_signature access_code "
      "invite_token st otc"};
  return list;
}

const word_list& name_members() {
  static const word_list list{
      "name key header field param parameter property prop type input_type inputtype attribute "
      "attr attributename variable var label autocomplete id k selector selectors css xpath target "
      "element testid test_id placeholder arialabel aria_label optionname parameterkey "
      "parametername settingname variablename keyname configkey propertyname fieldname headername "
      "paramname envname setting envvar env_var env"};
  return list;
}

const word_list& value_members() {
  static const word_list list{"value val content data text newvalue new_value oldvalue old_value "
                              "selected_value current default v stringvalue string_value "
                              "parametervalue optionvalue settingvalue paramvalue propertyvalue "
                              "fieldvalue headervalue"};
  return list;
}

const word_list& schema_members() {
  static const word_list list{
      "type minlength maxlength min max minimum maximum length required format pattern title "
      "description label placeholder error errors message nullable writeonly readonly widget"};
  return list;
}

const word_list& format_members() {
  static const word_list list{
      "format fmt msg message template messageformat message_format text sql "
      "query statement"};
  return list;
}

const word_list& list_members() {
  static const word_list list{"args arguments params parameters values argv bind bindings "
                              "binds bindparams bind_params queryparams replacements"};
  return list;
}

const word_list& literal_words() {
  static const word_list list{
      "null undefined true false none nil nan string number boolean object any void never unknown "
      "function async await new this self include omit same-origin required optional empty yes no "
      "str bytes int bool char varchar text const return typeof hidden unset masked option list "
      "array map"};
  return list;
}

const word_list& prose_words() {
  static const word_list list{
      "a an and are as at be command been but by can can't cannot changed check checking contains "
      "could "
      "couldn't created denied detected did disabled does doesn't don't enabled error expected "
      "expired expires failed failure field for found from got has have if illegal in incorrect "
      "invalid is it its length loaded made malformed may mismatch missing must needs not of ok "
      "okay on only or please provided received refresh refreshed refreshing reset revoked rotated "
      "saved sent set should show started success the their this to too unable unauthorized "
      "undefined unexpected unset updated use used user using valid validation was weak were when "
      "will with without wrong you your strong medium banner type scheme realm auth authentication "
      "authorization header headers token tokens format prefix credentials required basic bearer "
      "digest oauth left right top bottom active inactive closed open ended idle signature "
      "audience issuer claim claims payload subject obligatoria obligatorio requerida incorrecta "
      "identifier keyword punctuator operator literal "
      "comma semicolon colon brace bracket eof fail skip skipped meaning description purpose usage "
      "incorrect erforderlich falsch requis obligatoire обязателен неверный неверен"};
  return list;
}

const word_list& complaint_words() {
  static const word_list list{
      "must is are can't cannot should too does doesn't has please required invalid incorrect "
      "missing wrong field this the password your may needs not was"};
  return list;
}

const word_list& schemes() {
  static const word_list list{
      "bearer basic digest token apikey negotiate ntlm oauth hawk jwt key aws4-hmac-sha256 hmac "
      "sharedkey sso-key dpop signature ssws mac genie geniekey bot splunk aws"};
  return list;
}

const word_list& parameter_schemes() {
  static const word_list list{"digest oauth hawk aws4-hmac-sha256 signature mac hmac"};
  return list;
}

const word_list& algorithm_letters() {
  static const word_list list{
      "sha base utf md rs hs es ps oauth http ipv aes rsa ed win web gpio level page step line "
      "part chapter item node version phase santa row col column test worker thread sse tls bcrypt "
      "argon pbkdf scrypt nodejs python vue angular sqlite hmac des ecdsa eddsa ripemd blake md "
      "blowfish chacha camellia"};
  return list;
}

const word_list& login_schemes() {
  static const word_list list{
      "postgres postgresql mysql mariadb mongodb mongodb+srv redis rediss amqp amqps sqlserver "
      "mssql ftp ftps sftp smtp smtps ldap ldaps nats mqtt clickhouse cockroachdb oracle"};
  return list;
}

} // namespace gasoline::redaction
