import type { Version, VersionDiff } from '@copydesk/protocol'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { createVersion, fetchDiff, fetchExtent, fetchVersions, renameVersion, restoreVersion } from '../api/versions.ts'

/** The current text, in place of a version's id. */
export const current = 'current'

/** A version, and the version with which it is compared; by default the one before. */
export type Compared = { version: string; since?: string }

/** The versions of a document, fetched again when the history is opened. */
export function useVersions(document: string) {
  const query = useInfiniteQuery({
    queryKey: ['versions', document],
    queryFn: ({ pageParam, signal }) => fetchVersions(document, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    gcTime: 0,
    refetchOnMount: 'always',
  })
  const versions: readonly Version[] = query.data?.pages.flatMap((page) => page.versions) ?? []
  return { ...query, versions }
}

/** The diff between two versions; the former result is shown until the next has loaded. */
export function useDiff(document: string, version: string, against: string | undefined) {
  return useQuery<VersionDiff>({
    queryKey: ['versions', document, version, against ?? 'before'],
    queryFn: ({ signal }) => fetchDiff(document, version, against, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    // Versions never change, but the current text does.
    staleTime: version === current || against === current ? 0 : Number.POSITIVE_INFINITY,
  })
}

let turn: Promise<unknown> = Promise.resolve()

/**
 * The number of changed paragraphs; undefined until it is known. Requested only for visible entries, one after the
 * other: the server computes each from the log.
 */
export function useExtent(document: string, { version, since }: Compared, isSeen: boolean): number | undefined {
  const { data } = useQuery({
    queryKey: ['versions', document, version, since ?? 'before', 'extent'],
    queryFn: ({ signal }) => {
      const ask = () => fetchExtent(document, version, since, signal)
      const asked = turn.then(ask, ask)
      turn = asked
      return asked
    },
    enabled: isSeen,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data?.paragraphs
}

/** Whether an element has been visible, and the ref to give it. */
export function useHasBeenVisible(): [isSeen: boolean, ref: RefObject<HTMLDivElement | null>] {
  const ref = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const { current: element } = ref
    if (isSeen || !element) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true))
    observer.observe(element)
    return () => observer.disconnect()
  }, [isSeen])
  return [isSeen, ref]
}

/** Names a version, or the current text; `null` removes the name. */
export function useNaming(document: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ version, name }: { version: string; name: string | null }) =>
      version === current ? createVersion(document, name ?? '') : renameVersion(document, version, name),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['versions', document], exact: true }),
  })
}

/** Restores a version. */
export function useRestoring(document: string) {
  return useMutation({ mutationFn: (version: string) => restoreVersion(document, version) })
}
