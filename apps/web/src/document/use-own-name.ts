import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { meKey } from '../app/query-client.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { ownName } from '../collaboration/presence.ts'

type Changes = Record<'added' | 'updated' | 'removed', number[]>

/**
 * Asks anew who the caller is when the server calls them otherwise than this page does: they have changed their name in another window, on
 * another machine perhaps.
 */
export function useOwnName({ provider }: DocumentConnection, known: string): void {
  const queryClient = useQueryClient()
  const { awareness } = provider
  useEffect(() => {
    if (!awareness) return undefined
    const onChange = ({ updated }: Changes, origin: unknown) => {
      // What the page says itself is what it knows already.
      if (origin === 'local' || !updated.includes(awareness.clientID)) return
      const name = ownName(awareness)
      if (name !== undefined && name !== known) void queryClient.invalidateQueries({ queryKey: meKey })
    }
    awareness.on('change', onChange)
    return () => awareness.off('change', onChange)
  }, [awareness, known, queryClient])
}
