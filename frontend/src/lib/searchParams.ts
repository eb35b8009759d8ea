/** The page that the address bar asks for; the first one when it asks for nonsense. */
export function pageParam(params: URLSearchParams): number {
  const page = Number(params.get('page'));
  return Number.isInteger(page) && page > 0 ? page : 1;
}

/** One of these words from the address bar, else the fallback. */
export function choiceParam<T extends string, F>(
  params: URLSearchParams,
  name: string,
  choices: readonly T[],
  fallback: F,
): T | F {
  return choices.find((choice) => choice === params.get(name)) ?? fallback;
}
