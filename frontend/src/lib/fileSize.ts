/** "340 kB", "2.4 MB": format a file size. */
export function formatFileSize(bytes: number): string {
  const mega = bytes >= 1_000_000;
  const amount = bytes / (mega ? 1_000_000 : 1000);
  const digits = mega ? 1 : 0;
  return `${Math.max(amount, mega ? 0 : 1).toLocaleString('en-GB', { maximumFractionDigits: digits })} ${mega ? 'MB' : 'kB'}`;
}
