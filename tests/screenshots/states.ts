import type { StorageReport, Webhook } from '@copydesk/protocol'

const quotas = {
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
}

/** The storage of a server that was just set up, with the default quotas. */
export const unusedStorage: StorageReport = {
  quotas,
  server: { imageBytes: 0, databaseBytes: 400_000, documents: 0 },
  documents: [],
  people: [],
  links: [],
  titles: {},
}

const full = { imageBytes: 200 * 2 ** 20, logBytesToday: 199 * 2 ** 20 }

/** Storage with every quota used up, and guests by link. */
export const fullStorage: StorageReport = {
  quotas: { ...quotas, documentsPerPerson: 4, documentsOfServer: 4, databaseMiBOfServer: 200, imageMiBOfServer: 210 },
  server: { imageBytes: full.imageBytes, databaseBytes: full.imageBytes, documents: 4 },
  documents: [],
  people: [{ id: 'ben', name: 'Ben Okafor', ...full, documents: 4 }],
  links: [
    { id: 'one', document: 'plan', ...full },
    { id: 'two', document: '061a8442-0000-4000-8000-000000000000', imageBytes: 0, logBytesToday: 4_000 },
  ],
  titles: { plan: 'Exhibition: two hundred years of harbour maps, sea charts and pilot books from the cellar' },
}

const failed = { result: 'failed', at: '2026-11-20T09:12:00.000Z' } as const

const webhook: Webhook = {
  id: 'one',
  url: 'https://hooks.example.org/services/T02ABCDEF/B9QKLMNOP/a-very-long-path-that-is-a-secret-of-its-own',
  events: ['run'],
  description: 'Chat of the staff',
  active: true,
  stopped: null,
  failingSince: null,
  waiting: 0,
  dropped: 0,
  recent: Array.from({ length: 20 }, () => failed),
  createdAt: '2026-11-01T09:12:00.000Z',
}

/** Webhooks that the server has switched off, or whose deliveries wait. */
export const troubledWebhooks: Webhook[] = [
  { ...webhook, active: false, stopped: 'gone' },
  { ...webhook, id: 'two', active: false, stopped: 'failing', failingSince: failed.at },
  { ...webhook, id: 'three', waiting: 10_000, dropped: 1_204 },
  { ...webhook, id: 'four', waiting: 1, failingSince: failed.at, description: '' },
  { ...webhook, id: 'five', recent: [], description: 'Search of the intranet' },
]
