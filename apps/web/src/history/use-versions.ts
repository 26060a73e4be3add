import type { Version, VersionDiff } from '@copydesk/protocol'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createVersion, fetchDiff, fetchVersions, renameVersion, restoreVersion } from '../api/versions.ts'

/** Used instead of a version's id: the current text. */
export const current = 'current'

/** The versions of a document, fetched again whenever the history is opened. */
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

/** The diff between two versions; the former result stays until the next has loaded. */
export function useDiff(document: string, version: string, against: string | undefined) {
  return useQuery<VersionDiff>({
    queryKey: ['versions', document, version, against ?? 'before'],
    queryFn: ({ signal }) => fetchDiff(document, version, against, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    // Versions never change; the current text does.
    staleTime: version === current || against === current ? 0 : Number.POSITIVE_INFINITY,
  })
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
