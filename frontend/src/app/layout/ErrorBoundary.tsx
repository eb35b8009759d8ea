import { Component, type ReactNode } from 'react';
import { isChunkError } from '@/lib/chunkErrors';
import { ChunkErrorPage } from './ChunkErrorPage';

interface Props {
  children: ReactNode;
  /** Shown instead of the crashed component. */
  fallback: ReactNode;
}

interface State {
  failure: 'crashed' | 'not loaded' | null;
}

/** Catch errors of child components, so that the rest of the page stays. React requires a class. */
export class ErrorBoundary extends Component<Props, State> {
  state: State = { failure: null };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: isChunkError(error) ? 'not loaded' : 'crashed' };
  }

  render() {
    switch (this.state.failure) {
      case 'not loaded':
        return <ChunkErrorPage />;
      case 'crashed':
        return this.props.fallback;
      case null:
        return this.props.children;
    }
  }
}
