import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { COME_BACK } from '@/domain/session/comeBack';
import { useComeBack } from './useComeBack';

/** From sign-in to registration or the other way: one entry of the history, where one comes back. */
export function OtherWay({ to, children }: { to: string; children: ReactNode }) {
  const comeBack = useComeBack();
  return (
    <Link to={to} replace={comeBack} state={comeBack ? COME_BACK : undefined}>
      {children}
    </Link>
  );
}
