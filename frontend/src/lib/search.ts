/** As long as a text that is searched for may be; the server refuses longer ones. */
export const TEXT_LENGTH = 100;
