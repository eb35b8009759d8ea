/** The server refuses longer search texts. */
export const MAX_SEARCH_LENGTH = 100;
