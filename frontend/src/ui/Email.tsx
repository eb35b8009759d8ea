/** An email address as text; a long one breaks after the @. */
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
