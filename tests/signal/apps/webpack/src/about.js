export const about = "Lamps since 1971.";
