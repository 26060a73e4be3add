import { z } from 'zod'
import { AuthorInText, RunInText } from './authorship.ts'
import { Author } from '../people/people.ts'

export const VersionName = z
  .string()
  .trim()
  .min(1, 'Give a name.')
  .max(120, 'A name has at most 120 characters.')
  .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, 'A name has no control characters.')

/**
 * The reason for a version: a long pause in writing, long writing without one, or an imminent important operation
 * (`automatic`); a request of a person (`named`); the end of an agent's run (`run`); the restoring of an older version
 * (`restore`).
 */
export const VersionKind = z.enum(['automatic', 'named', 'run', 'restore'])
export type VersionKind = z.infer<typeof VersionKind>

/** A state of a document's text. `writers` wrote since the previous version. */
export const Version = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    kind: VersionKind,
    author: Author,
    writers: z.array(AuthorInText),
    /** With kind `run`: the run that ended with this version. */
    run: RunInText.optional(),
    /** With kind `restore`: the version that was restored. */
    restored: z.object({ id: z.string(), name: z.string().nullable(), createdAt: z.iso.datetime() }).optional(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Version' })
export type Version = z.infer<typeof Version>

/** A version with its text: as plain ProseMirror JSON, and as markdown. */
export const VersionText = Version.extend({
  document: z.record(z.string(), z.unknown()),
  markdown: z.string(),
}).meta({ id: 'VersionText' })
export type VersionText = z.infer<typeof VersionText>

/** Versions, newest first. */
export const VersionList = z.object({ versions: z.array(Version), nextCursor: z.string().nullable() })
export type VersionList = z.infer<typeof VersionList>

export const ListVersionsQuery = z.object({ cursor: z.string().max(40).optional() })

export const CreateVersion = z.object({ name: VersionName.optional() })

export const PatchVersion = z.object({ name: VersionName.nullable() })

export const DiffQuery = z.object({ against: z.string().max(80).optional() })

/** The extent of the difference between two versions: the number of paragraphs (any blocks of text) that differ. */
export const VersionExtent = z.object({ paragraphs: z.number().int().nonnegative() }).meta({ id: 'VersionExtent' })
export type VersionExtent = z.infer<typeof VersionExtent>

/** One change between two versions. With `move`, a block has another position. */
export const VersionChange = z.object({
  id: z.string(),
  type: z.enum(['insertion', 'deletion', 'replacement', 'formatting', 'block', 'move']),
  before: z.string(),
  after: z.string(),
})
export type VersionChange = z.infer<typeof VersionChange>

/**
 * The changes from one version to a later one. `document` contains both: new content has `insertion` marks and
 * `suggestion` attributes, removed content `deletion`, as in suggested changes, with the ids of `changes`. `from` is
 * null before the first version, `to` is the id of a version or `current`.
 */
export const VersionDiff = z
  .object({
    from: z.string().nullable(),
    to: z.string(),
    document: z.record(z.string(), z.unknown()),
    changes: z.array(VersionChange),
  })
  .meta({ id: 'VersionDiff' })
export type VersionDiff = z.infer<typeof VersionDiff>
