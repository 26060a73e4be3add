import { z } from 'zod'

const Bytes = z.number().int().nonnegative()

/**
 * Storage use against the quotas, for operators. Each list holds at most twenty entries, those nearest to a quota
 * first. `titles` has, by id, the titles of documents that are shared with the reader, and no others. The figures of
 * today may be half a minute old.
 */
export const StorageReport = z
  .object({
    /** By name, as set in `QUOTAS`. */
    quotas: z.record(z.string(), z.number()),
    server: z.object({ imageBytes: Bytes, databaseBytes: Bytes, documents: z.number().int() }),
    documents: z.array(
      z.object({
        id: z.string(),
        createdBy: z.object({ id: z.string(), name: z.string() }),
        imageBytes: Bytes,
        logBytes: Bytes,
        updatedAt: z.iso.datetime(),
        trashed: z.boolean(),
      }),
    ),
    people: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        imageBytes: Bytes,
        logBytesToday: Bytes,
        documents: z.number().int(),
      }),
    ),
    /** All guests of one share link combined. */
    links: z.array(z.object({ id: z.string(), document: z.string(), imageBytes: Bytes, logBytesToday: Bytes })),
    titles: z.record(z.string(), z.string()),
  })
  .meta({ id: 'StorageReport' })
export type StorageReport = z.infer<typeof StorageReport>
