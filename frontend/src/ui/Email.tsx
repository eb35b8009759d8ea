/** An e-mail address as text; where it does not fit on a line, it breaks after the @. */
export function Email({ address }: { address: string }) {
  const domain = address.indexOf('@') + 1;
  return (
    <>
      {address.slice(0, domain)}
      <wbr />
      {address.slice(domain)}
    </>
  );
}
