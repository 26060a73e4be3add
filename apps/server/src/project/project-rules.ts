import ignore, { type Ignore } from 'ignore'

/** Reads the `.gitignore` of a folder; an empty text if it has none, `*` if it can't be read. */
export type ReadIgnoreFile = (folder: readonly string[]) => Promise<string>

// Folders of version control systems, which also contain all deleted files.
const repositories = ['.git', '.hg', '.svn', '.jj']
const secretNames =
  /^(?:\.env.*|.*\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk|gpg)|id_(?:rsa|dsa|ecdsa|ed25519).*|\.(?:ssh|gnupg|aws|azure|kube|docker|npmrc|yarnrc\.yml|pypirc|netrc|pgpass|my\.cnf|git-credentials|htpasswd)|credentials\.json|secrets?\.(?:json|ya?ml|toml))$/

/**
 * Whether a name is that of a repository's own folder, a key or credentials. Names are compared as the least strict
 * file system compares them: without case, compatibility variants, invisible characters, and dots and spaces at the
 * end.
 */
export function isSecretName(name: string): boolean {
  const folded = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '')
  return repositories.includes(folded) || secretNames.test(folded)
}

/**
 * Creates a check whether `.gitignore` files exclude a path; each file is read once. A path below an excluded folder is
 * excluded.
 */
export function createIgnoreRules(
  read: ReadIgnoreFile,
): (path: readonly string[], isFolder: boolean) => Promise<boolean> {
  const known = new Map<string, Promise<Ignore | undefined>>()
  const rulesOf = (folder: readonly string[]): Promise<Ignore | undefined> => {
    const key = folder.join('/')
    const rules = known.get(key) ?? read(folder).then(parseRules)
    known.set(key, rules)
    return rules
  }
  const excludes = async (path: readonly string[], isFolder: boolean): Promise<boolean> => {
    let isIgnored = false
    for (let depth = 0; depth < path.length; depth++) {
      const rules = await rulesOf(path.slice(0, depth))
      const found = rules?.test(path.slice(depth).join('/') + (isFolder ? '/' : ''))
      // The rules of deeper folders have priority.
      if (found?.ignored) isIgnored = true
      if (found?.unignored) isIgnored = false
    }
    return isIgnored
  }
  return async (path, isFolder) => {
    for (let length = 1; length <= path.length; length++) {
      if (await excludes(path.slice(0, length), isFolder || length < path.length)) return true
    }
    return false
  }
}

const mostWildcards = 4
const mostRules = 2_000
const longestRule = 1_000

function parseRules(text: string): Ignore | undefined {
  const lines = text.split(/\r?\n/).flatMap(boundPattern)
  // With too many rules, everything in the folder is excluded.
  return lines.length === 0 ? undefined : ignore().add(lines.length > mostRules ? '*' : lines)
}

// Each wildcard multiplies the time of a comparison. A rule with too many wildcards is cut, so that it excludes more;
// if it includes files again, it is omitted.
function boundPattern(line: string): string[] {
  if (line === '' || line.startsWith('#')) return []
  if (line.length > longestRule) return line.startsWith('!') ? [] : ['*']
  const groups = [...line.matchAll(/\*+/g)]
  const last = groups[mostWildcards - 1]
  if (groups.length <= mostWildcards || last === undefined) return [line]
  return line.startsWith('!') ? [] : [line.slice(0, last.index + last[0].length)]
}
