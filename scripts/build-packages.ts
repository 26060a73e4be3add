/**
 * `pnpm build:packages`: the packages that are published, each into its `dist`. `pnpm build:packages <folder>` also
 * packs them into that folder, from which `npm publish <tarball>` publishes them.
 */
import { resolve } from 'node:path'
import { buildPackages, packPackages } from './lib/build-packages.ts'

const [folder] = process.argv.slice(2)
await buildPackages()
if (folder !== undefined) for (const tarball of await packPackages(resolve(folder))) console.log(tarball)
