import type { FastifyBaseLogger } from 'fastify'
import type { Signals } from '../../common/signals.ts'
import type { Store } from '../../store/store.ts'
import { ApiKeys } from './api-keys.ts'
import { createAuthLibrary } from '../library/auth-library.ts'
import { AuthLinks } from './auth-links.ts'
import { createAdmission } from './admission.ts'
import { KnownDevices } from './known-devices.ts'
import { oidcConfig, type OidcSettings } from '../library/oidc.ts'
import type { People } from '../people.ts'
import { OwnAccounts } from './own-accounts.ts'
import { AccountAdmin } from './account-admin.ts'
import { SessionService } from './session-service.ts'
import { SignUps } from './sign-ups.ts'

/** All account services, with AUTH=accounts. */
export type Accounts = ReturnType<typeof createAccounts>

type AccountsDeps = {
  store: Store
  people: People
  signals: Signals
  now: () => number
  createId: () => string
  config: OidcSettings & { OIDC_NAME: string; OIDC_SIGN_UP: boolean; publicUrl: string; secret: string }
  logger: FastifyBaseLogger
}

/** Builds the account services over the store. */
export function createAccounts({ config, logger, store, ...services }: AccountsDeps) {
  const { db } = store
  const { publicUrl } = config
  const links = new AuthLinks({ db, now: services.now })
  const shared = { ...services, db, links, publicUrl }
  const { admit, makeRoom } = createAdmission({ ...shared, isOpen: config.OIDC_SIGN_UP })
  const oidc = oidcConfig(config, logger, makeRoom)
  const library = createAuthLibrary({
    db,
    secret: config.secret,
    publicUrl,
    createId: services.createId,
    logger,
    oidc,
    admit,
    isClosed: async (person) => !(await services.people.isActive(person)),
  })
  return {
    sessions: new SessionService({ ...shared, library }),
    signUps: new SignUps({ ...shared, library }),
    own: new OwnAccounts({ ...shared, library }),
    keys: new ApiKeys({ ...shared, library }),
    admin: new AccountAdmin(shared),
    devices: new KnownDevices(config.secret),
    /** The display name of the OIDC server; undefined without one. */
    oidcName: oidc && config.OIDC_NAME,
  }
}
