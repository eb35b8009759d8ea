import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { ChevronLeftIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './BackLink.module.css';

/** Link to the parent page. If that is the previous history entry, go back to it as it was left. */
export function BackLink({ href, children }: { href: string; children: string }) {
  const navigate = useNavigate();
  const go = (event: MouseEvent) => {
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (!plain || event.altKey || !isBefore(href)) return;
    event.preventDefault();
    navigate(-1);
  };
  return (
    <Link href={href} className={styles.back} onClick={go} data-print="no">
      <ChevronLeftIcon size={20} />
      {children}
    </Link>
  );
}

/** Return the router's position in the history of this tab. */
function position(): number {
  return (window.history.state as { idx?: number } | null)?.idx ?? 0;
}

let list: { href: string; at: number } | null = null;

/** Remember the path of the list that is shown. */
export function rememberListPath(href: string): void {
  list = { href, at: position() };
}

/** Return the path of the last list, with its filters. */
export function lastListPath(): string | null {
  return list?.href ?? null;
}

function isBefore(href: string): boolean {
  return list !== null && list.href === href && list.at === position() - 1;
}
