import { type Localizable, localizable } from '@copydesk/tools/localizable'
import { refuse, type Refusal } from '../common/errors.ts'

/**
 * The default quotas: in MiB (2^20 bytes), except for the numbers of documents and folders. Sufficient for a large
 * team; the variable `QUOTAS` overrides single quotas.
 */
export const defaultQuotas = {
  imageMiBPerDocument: 500,
  imageMiBPerPerson: 2_000,
  imageMiBPerLink: 200,
  imageMiBOfServer: 20_000,
  logMiBPerDocument: 500,
  logMiBPerPersonAndDay: 200,
  logMiBPerLinkAndDay: 200,
  databaseMiBOfServer: 20_000,
  documentsPerPerson: 10_000,
  documentsOfServer: 100_000,
  foldersPerPerson: 1_000,
  foldersOfServer: 20_000,
} as const satisfies Record<string, number>

/** The quotas of a server, in the units of `defaultQuotas`. */
export type Quotas = Readonly<Record<keyof typeof defaultQuotas, number>>

/** The unit of the quotas in bytes. */
export const mebibyte = 1024 * 1024

// The message for an exceeded quota, and the user's options besides asking the operator.
const words: Readonly<Record<keyof Quotas, readonly [message: (quota: number) => Localizable, instead: Localizable]>> =
  {
    imageMiBPerDocument: [
      (quota) => localizable`The images of this document may have ${quota} MiB.`,
      localizable`Use a smaller image`,
    ],
    imageMiBPerPerson: [
      (quota) => localizable`The images that you add may have ${quota} MiB.`,
      localizable`Use a smaller image`,
    ],
    imageMiBPerLink: [
      (quota) => localizable`The images that all guests by this link add may have ${quota} MiB.`,
      localizable`Use a smaller image, ask a person with an account to add it`,
    ],
    imageMiBOfServer: [
      (quota) => localizable`All images on this server may have ${quota} MiB.`,
      localizable`Use a smaller image`,
    ],
    logMiBPerDocument: [
      (quota) => localizable`The changes of this document fill its ${quota} MiB.`,
      localizable`Copy what you wrote and continue in a new document`,
    ],
    logMiBPerPersonAndDay: [
      (quota) => localizable`Your changes today fill your ${quota} MiB.`,
      localizable`Keep what you wrote and send it tomorrow (UTC)`,
    ],
    logMiBPerLinkAndDay: [
      (quota) => localizable`Today's changes by guests of this link fill ${quota} MiB.`,
      localizable`Keep what you wrote and send it tomorrow (UTC)`,
    ],
    databaseMiBOfServer: [
      (quota) => localizable`This server's database fills its ${quota} MiB.`,
      localizable`Keep what you wrote`,
    ],
    documentsPerPerson: [
      (quota) => localizable`Your quota of documents (${quota}) is used up, counting those in the trash.`,
      localizable`Use one of them`,
    ],
    foldersPerPerson: [
      (quota) => localizable`Your quota of folders (${quota}) is used up.`,
      localizable`Use one of them`,
    ],
    foldersOfServer: [
      (quota) => localizable`This server's quota of folders (${quota}) is used up.`,
      localizable`Use one of them`,
    ],
    documentsOfServer: [
      (quota) => localizable`This server's quota of documents (${quota}) is used up.`,
      localizable`Use one of them`,
    ],
  }

/** The refusal for an exceeded quota. Its hint says who can change the quota. */
export function quotaExceeded(name: keyof Quotas, quotas: Quotas): Refusal {
  const [message, instead] = words[name]
  const hint = localizable`${instead}, or ask an operator of this server to raise ${name} in QUOTAS.`
  return refuse('quota_exceeded', message(quotas[name]), hint)
}
