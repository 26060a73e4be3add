import type { LinkRole, PutMembers } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLink, fetchLinks, fetchMembers, putMembers, revokeLink, type Shared } from '../api/sharing.ts'
import { showError } from '../ui/toasts/toasts.tsx'
import { useAction } from '../ui/use-action.ts'

const keyOf = ({ kind, id }: Shared) => ['sharing', kind, id] as const
const documentOf = (id: string): Shared => ({ kind: 'document', id })

/**
 * Everyone with access to a document or folder; refetched while the dialog is open, since other users may change roles.
 */
export function useMembers(shared: Shared) {
  return useQuery({
    queryKey: [...keyOf(shared), 'members'],
    queryFn: ({ signal }) => fetchMembers(shared, signal),
    refetchInterval: 5000,
  })
}

export function useLinks(document: string) {
  return useQuery({
    queryKey: [...keyOf(documentOf(document)), 'links'],
    queryFn: ({ signal }) => fetchLinks(document, signal),
    refetchInterval: 5000,
  })
}

/** Gives and removes roles; shows a refusal unless the caller does. */
export function usePutMembers(shared: Shared, { tells = true } = {}) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (members: PutMembers['members']) => putMembers(shared, members),
    onError: (error) => void (tells && showError(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(shared) }),
  })
}

export function useCreateLink(document: string) {
  return useAction((link: { role: LinkRole; expiresAt: string | null }) => createLink(document, link), {
    changes: keyOf(documentOf(document)),
  })
}

/** Revokes a share link; users with access by it lose access immediately. */
export function useRevokeLink(document: string) {
  return useAction((link: string) => revokeLink(document, link), { changes: keyOf(documentOf(document)) })
}
