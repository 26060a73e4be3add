import { type Access, readAccessMessage } from '@copydesk/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { showToast } from '../app/toasts.tsx'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { documentKey } from './use-document-summary.ts'

const news: Readonly<Record<Access, string>> = {
  read: 'You can only read this document now.',
  comment: 'You can read, comment and suggest now.',
  write: 'You can edit this document now.',
  manage: 'You are an owner of this document now.',
}

/**
 * Tells the user when their role in the open document changes, and refreshes everything on the page that depends on it.
 */
export function useAccessNews({ document, provider }: DocumentConnection): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const onStateless = ({ payload }: { payload: string }) => {
      const access = readAccessMessage(payload)
      if (access === undefined) return
      showToast(news[access])
      void queryClient.invalidateQueries({ queryKey: documentKey(document) })
    }
    provider.on('stateless', onStateless)
    return () => void provider.off('stateless', onStateless)
  }, [document, provider, queryClient])
}
