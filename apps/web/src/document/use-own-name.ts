import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { meKey } from '../app/query-client.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { ownName } from '../collaboration/presence.ts'

type Changes = Record<'added' | 'updated' | 'removed', number[]>

/**
 * Refetches the caller when the server knows another name than this page: the user has changed it in another window,
 * perhaps on another machine.
 */
export function useOwnName({ provider }: DocumentConnection, known: string): void {
  const queryClient = useQueryClient()
  const { awareness } = provider
  useEffect(() => {
    if (!awareness) return undefined
    const onChange = ({ updated }: Changes, origin: unknown) => {
      // This page already knows its own changes.
      if (origin === 'local' || !updated.includes(awareness.clientID)) return
      const name = ownName(awareness)
      if (name !== undefined && name !== known) void queryClient.invalidateQueries({ queryKey: meKey })
    }
    awareness.on('change', onChange)
    return () => awareness.off('change', onChange)
  }, [awareness, known, queryClient])
}
