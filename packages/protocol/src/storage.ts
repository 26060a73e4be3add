import { z } from 'zod'

const Bytes = z.number().int().nonnegative()

/**
 * What is stored against the quotas, for operators. The lists hold at most twenty each, whoever is nearest to a quota
 * first; texts and titles of documents don't stand here. What was written today may be half a minute old.
 */
export const StorageReport = z
  .object({
    /** By name, as `QUOTAS` sets them. */
    quotas: z.record(z.string(), z.number()),
    server: z.object({ imageBytes: Bytes, databaseBytes: Bytes, documents: z.number().int() }),
    documents: z.array(
      z.object({
        id: z.string(),
        createdBy: z.object({ id: z.string(), name: z.string() }),
        imageBytes: Bytes,
        logBytes: Bytes,
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
    /** All guests by one share link together. */
    links: z.array(z.object({ id: z.string(), document: z.string(), imageBytes: Bytes, logBytesToday: Bytes })),
  })
  .meta({ id: 'StorageReport' })
export type StorageReport = z.infer<typeof StorageReport>
