import type { Version, VersionDiff } from '@copydesk/protocol'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createVersion, fetchDiff, fetchVersions, renameVersion, restoreVersion } from '../api/versions.ts'

/** Where a version can be named: the text as it is now. */
export const current = 'current'

/** The versions of a document, asked for anew whenever the history is opened. */
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

/** What changed between two versions; the last answer stays until the next is there. */
export function useDiff(document: string, version: string, against: string | undefined) {
  return useQuery<VersionDiff>({
    queryKey: ['versions', document, version, against ?? 'before'],
    queryFn: ({ signal }) => fetchDiff(document, version, against, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    // Versions never change; what stands now does.
    staleTime: version === current || against === current ? 0 : Number.POSITIVE_INFINITY,
  })
}

/** Names a version, or the text as it is now; `null` takes the name away. */
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
