/** The message for a file in which git left its markers. */
export const MERGE_CONFLICT = 'this file has a merge conflict';

/** The repair of a file that a user writes. */
export const RESOLVE_CONFLICT =
  'edit the lines between <<<<<<< and >>>>>>> as they are meant to be, and remove the markers';

/** A line that git puts into a file with a conflict. */
export const MERGE_MARKER = /^(?:(?:<{7}|>{7}|\|{7}) |={7}(?=\r?$))/m;
