#include "actors/redaction/rules/triggers/triggers.hpp"

namespace gasoline::redaction {

std::span<const password_program> password_programs() {
  using spelling = password_program::spelling;
  using part = password_program::part;
  static constexpr password_program programs[] = {
      {"mysql", "p", spelling::glued, part::whole},
      {"mariadb", "p", spelling::glued, part::whole},
      {"7z", "p", spelling::glued, part::whole},
      {"sshpass", "p", spelling::any, part::whole},
      {"cqlsh", "p", spelling::any, part::whole},
      {"login ", "p", spelling::apart, part::whole},
      {"mongo", "p", spelling::apart, part::whole},
      {"snowsql", "p", spelling::apart, part::whole},
      {"beeline", "p", spelling::apart, part::whole},
      {"twine ", "p", spelling::apart, part::whole},
      {"useradd", "p", spelling::apart, part::whole},
      {"usermod", "p", spelling::apart, part::whole},
      {"zip ", "P", spelling::apart, part::whole},
      {"unzip ", "P", spelling::apart, part::whole},
      {"mosquitto_", "P", spelling::any, part::whole},
      {"psexec", "p", spelling::apart, part::whole},
      {"ssh-keygen", "NP", spelling::apart, part::whole},
      {"rdesktop", "p", spelling::apart, part::whole},
      {"winexe", "U", spelling::any, part::after_percent},
      {"snmp", "AX", spelling::any, part::whole},
      {"sqlcmd", "P", spelling::any, part::whole},
      {"bcp ", "P", spelling::any, part::whole},
      {"ipmitool", "P", spelling::any, part::whole},
      {"redis-cli", "a", spelling::any, part::whole},
      {"ldap", "w", spelling::any, part::whole},
      {"openssl", "kK", spelling::apart, part::whole},
      {"http ", "a", spelling::any, part::after_colon},
      {"https ", "a", spelling::any, part::after_colon},
      {"curl", "uU", spelling::any, part::after_colon},
      {"smbclient", "U", spelling::any, part::after_percent},
      {"rpcclient", "U", spelling::any, part::after_percent},
  };
  return programs;
}

} // namespace gasoline::redaction
