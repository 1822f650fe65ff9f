#pragma once

namespace gasoline {

/// Where the process notes the mask that its user had.
inline constexpr const char* user_file_mask_variable = "GASOLINE_USER_UMASK";

/// From now on files are made for the user alone, whoever makes them: umask 077. What the mask was
/// before is noted in the environment, for the commands of sessions. Called once, before threads.
void keep_files_private();

/// In the process of a command: gives it the mask that the user had.
void restore_user_file_mask();

} // namespace gasoline
