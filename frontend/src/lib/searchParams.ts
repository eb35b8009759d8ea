/** Return the page number of the URL; 1 if it is invalid. */
export function pageParam(params: URLSearchParams): number {
  const page = Number(params.get('page'));
  return Number.isInteger(page) && page > 0 ? page : 1;
}

/** Return a URL parameter if it is one of the choices, else the fallback. */
export function choiceParam<T extends string, F>(
  params: URLSearchParams,
  name: string,
  choices: readonly T[],
  fallback: F,
): T | F {
  return choices.find((choice) => choice === params.get(name)) ?? fallback;
}
