import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { PageNotice } from '../ui/page-notice.tsx'

type Props = { children: ReactNode }

/** Shows a page with a Reload button when rendering fails, instead of nothing. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <PageNotice title="This page stopped working" text="What the server has saved is not affected.">
        <Button look="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </PageNotice>
    )
  }
}
