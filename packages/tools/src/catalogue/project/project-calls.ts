import { z } from 'zod'
import { failure, type ToolFailure } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { ProjectEntry, ProjectHost } from '../../session/host/project-host.ts'
import { evident } from '../../tool/fields.ts'

const longestPath = 4_096

/** The input field that names a file or folder of the project. */
export const projectPath = evident(z.string().min(1).max(longestPath), "Relative to the project; '.' is its root.")

/** The input field that limits a call to a folder of the project. */
export const insideFolder = evident(z.string().min(1).max(longestPath).optional(), 'Only in this folder.')

/** The project's files, or a failure that names the operator's setting. */
export function requireProject(session: DocumentSession): { ok: true; project: ProjectHost } | ToolFailure {
  const project = session.host?.project
  if (project) return { ok: true, project }
  return failure(
    'not_configured',
    'There are no project files in this run.',
    'Say that an operator sets PROJECT_DIR to a folder, and that guests can’t use it.',
  )
}

/** A path on one line: characters that would break the line or hide part of it are escaped. */
export function showPath(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16) ?? ''}}`)
}

export function describeEntry({ path, type, size, modified }: ProjectEntry): string {
  const shown = showPath(path)
  const day = modified.slice(0, 10)
  if (type === 'folder') return `${shown}/  folder  ${day}`
  return `${shown}  ${type === 'link' ? 'link' : `${size.toLocaleString('en')} bytes`}  ${day}`
}

/** The first of these lines that fit into `most` characters; always at least one. */
export function takeLines(lines: readonly string[], most: number): string[] {
  let length = 0
  const end = lines.findIndex((line, index) => {
    length += line.length + 1
    return index > 0 && length > most
  })
  return end < 0 ? [...lines] : lines.slice(0, end)
}

/** The note for a list that the host truncated. */
export const stoppedEarly = '(The project is too large to look at all of it: name a folder as path.)'
