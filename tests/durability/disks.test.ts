import { expect, test } from 'vitest'
import { countLossesOnBadDisk, mountSmallDisk } from './disks.ts'
import { type FaultyServer, roundsOr } from './faulty-server.ts'
import { playAtOnce } from './shared-rounds.ts'

const rounds = roundsOr(25)
const timeout = 60_000 + rounds * 20_000
const flawless = { rounds, missing: 0, readWhileBad: rounds, shownUnsaved: rounds }

test(
  `[LOG-17] a disk that fails for a while: typing goes on, shows as unsaved and is saved later, ${rounds} times`,
  { timeout },
  async () => {
    const count = await countLossesOnBadDisk(rounds, {
      begin: (server) => server.suffer({ fail: '^(insert|update|commit|rollback|pragma|sync)' }),
      end: (server) => server.suffer({}),
    })
    console.log(`failing disk: ${JSON.stringify(count)}`)
    expect(count).toMatchObject(flawless)
  },
)

test(
  `[LOG-18] a disk that takes half a second a write: typing goes on, shows as unsaved and is saved later, ${rounds} times`,
  { timeout },
  async () => {
    const trouble = {
      begin: (server: FaultyServer) => server.suffer({ slowMs: 500 }),
      end: (server: FaultyServer) => server.suffer({}),
    }
    const count = await playAtOnce(rounds, 5, (share) => countLossesOnBadDisk(share, trouble))
    console.log(`slow disk: ${JSON.stringify(count)}`)
    expect(count).toMatchObject(flawless)
  },
)

test(
  `[LOG-27] a disk that stalls before it has what is written: others see it at once, it counts as saved later, ${rounds} times`,
  { timeout },
  async () => {
    const trouble = {
      begin: (server: FaultyServer) => server.suffer({ slowSyncMs: 500 }),
      end: (server: FaultyServer) => server.suffer({}),
      isOfSyncs: true,
    }
    const count = await playAtOnce(rounds, 5, (share) => countLossesOnBadDisk(share, trouble))
    console.log(`stalling disk: ${JSON.stringify(count)}`)
    expect(count).toMatchObject({ ...flawless, seenUnsaved: rounds })
  },
)

test(
  `[LOG-28] a disk that fails before it has what is written: that is written anew and saved, without a restart, ${rounds} times`,
  { timeout },
  async () => {
    const count = await countLossesOnBadDisk(rounds, {
      begin: (server) => server.suffer({ fail: '^(sync|pragma)' }),
      end: (server) => server.suffer({}),
      isOfSyncs: true,
    })
    console.log(`disk that fails to sync: ${JSON.stringify(count)}`)
    expect(count).toMatchObject({ ...flawless, seenUnsaved: rounds })
  },
)

test(
  `[LOG-19] a disk that is full: typing goes on, shows as unsaved and is saved when there is room again, ${rounds} times`,
  { timeout },
  async ({ skip }) => {
    const disk = mountSmallDisk()
    if (!disk) {
      console.error('NOT RUN: a full disk: this user may not mount one')
      return skip('this user may not mount a small disk')
    }
    try {
      const trouble = { begin: disk.fill, end: disk.free }
      const count = await countLossesOnBadDisk(rounds, trouble, { DATA_DIR: disk.directory })
      console.log(`full disk: ${JSON.stringify(count)}`)
      expect(count).toMatchObject(flawless)
    } finally {
      disk.dispose()
    }
  },
)
