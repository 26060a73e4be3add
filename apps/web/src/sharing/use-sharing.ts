import type { LinkRole, PutMembers } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLink, fetchLinks, fetchMembers, putMembers, revokeLink } from '../api/sharing.ts'
import { showError } from '../ui/toasts.tsx'

const keyOf = (document: string) => ['sharing', document] as const

/** The members of a document; refetched while the dialog is open, since other users share, too. */
export function useMembers(document: string) {
  return useQuery({
    queryKey: [...keyOf(document), 'members'],
    queryFn: ({ signal }) => fetchMembers(document, signal),
    refetchInterval: 5000,
  })
}

/** The share links of a document. */
export function useLinks(document: string) {
  return useQuery({
    queryKey: [...keyOf(document), 'links'],
    queryFn: ({ signal }) => fetchLinks(document, signal),
    refetchInterval: 5000,
  })
}

/** Gives and removes roles; shows a refusal unless the caller does. */
export function usePutMembers(document: string, { tells = true } = {}) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (members: PutMembers['members']) => putMembers(document, members),
    onError: (error) => void (tells && showError(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(document) }),
  })
}

/** Makes a share link. */
export function useCreateLink(document: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (link: { role: LinkRole; expiresAt: string | null }) => createLink(document, link),
    onError: showError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(document) }),
  })
}

/** Revokes a share link; users who came by it lose access immediately. */
export function useRevokeLink(document: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (link: string) => revokeLink(document, link),
    onError: showError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(document) }),
  })
}
