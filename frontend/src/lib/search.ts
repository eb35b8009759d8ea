/** As long as a text that is searched for may be; the server refuses longer ones. */
export const MAX_SEARCH_LENGTH = 100;
