import { Component, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
  /** What stands in the place of what broke. */
  fallback: ReactNode;
}

/** Catch a crash below, so that the rest of the page stays. React offers this to classes alone. */
export class ErrorBoundary extends Component<Props, { broken: boolean }> {
  state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  render() {
    return this.state.broken ? this.props.fallback : this.props.children;
  }
}
