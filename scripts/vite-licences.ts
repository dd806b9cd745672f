import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { CORE_PARTS, CORE_VERSION } from '#scripts/licences/core-parts.ts'
import {
  packageFolderOf,
  productionFolders,
  readLicence,
  type LicensedPackage,
} from '#scripts/licences/packages.ts'
import { onlyPackages, readSbom } from '#scripts/licences/sbom.ts'
import { afterBuild } from '#scripts/vite-after-build.ts'

/** Copied into the style sheet, where no module shows it. */
const IN_STYLES = ['node_modules/tailwindcss']

/**
 * Writes what licences ask for beside the build: `licences.json` for the page `/licences`,
 * `licences.txt` with the same texts, `sbom.cdx.json` with the packages that browsers get, and
 * `.sbom.cdx.json` with all packages, which the server does not serve. `collect` is one more plugin
 * for each build that browsers get code from: the page, its workers and the service worker.
 */
export function licences(): { readonly collect: () => Plugin; readonly write: Plugin } {
  const paths = new Set<string>()
  const collect = (): Plugin => ({
    name: 'onecut:collect-packages',
    apply: 'build',
    generateBundle: (_options, bundle) => {
      for (const file of Object.values(bundle))
        for (const path of file.type === 'chunk' ? file.moduleIds : file.originalFileNames)
          paths.add(path)
    },
  })
  const write = afterBuild('onecut:licences', async ({ root, folder }) => {
    const used = [...paths].map((path) => packageFolderOf(path, root))
    await writeLicences(
      root,
      folder,
      new Set([...IN_STYLES, ...used.filter((one) => one !== null)]),
    )
  })
  return { collect, write }
}

async function writeLicences(
  root: string,
  outDir: string,
  browserFolders: ReadonlySet<string>,
): Promise<void> {
  const others = (await productionFolders(root)).filter((folder) => !browserFolders.has(folder))
  const browser = await readAll(root, [...browserFolders])
  const server = await readAll(root, others)
  const core = browser.find(({ name }) => name === '@ffmpeg/core')
  if (core?.version !== CORE_VERSION)
    throw new Error(`scripts/licences/core-parts.ts describes @ffmpeg/core ${CORE_VERSION}.`)
  const packages = [
    ...[...browser, await fontLicence(root)].map((one) => ({ ...one, reaches: 'browser' })),
    // Versions of what only the server runs would tell attackers which flaws to try.
    ...server.map((one) => ({ ...one, version: null, reaches: 'server' })),
  ]
  const sbom = readSbom(root)
  const ofBrowsers = new Set(browser.map(({ name, version }) => `${name}@${version}`))
  const files = {
    'licences.json': JSON.stringify({ packages, coreParts: CORE_PARTS }),
    'licences.txt': asText([...browser, await fontLicence(root), ...server]),
    'sbom.cdx.json': JSON.stringify(onlyPackages(sbom, ofBrowsers), null, 1),
    '.sbom.cdx.json': JSON.stringify(sbom, null, 1),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(outDir, name), text)
}

async function readAll(root: string, folders: readonly string[]): Promise<LicensedPackage[]> {
  const all = await Promise.all(folders.map((folder) => readLicence(root, folder)))
  return all.sort((a, b) => a.name.localeCompare(b.name))
}

async function fontLicence(root: string): Promise<LicensedPackage> {
  return {
    name: 'DejaVu Sans (the watermark font)',
    version: '',
    licence: 'Bitstream-Vera',
    text: (await readFile(join(root, 'recipes/fonts/watermark-licence.txt'), 'utf8')).trim(),
  }
}

function asText(all: readonly LicensedPackage[]): string {
  const line = '='.repeat(80)
  return [
    'The software of others in Onecut, with the licences under which it is used.\n',
    ...all.map(({ name, licence, text }) => `${line}\n${name} (${licence})\n${line}\n\n${text}\n`),
    `${line}\nSource of @ffmpeg/core, which the page /licences offers\n${line}\n`,
    ...CORE_PARTS.map(
      ({ name, version, licence, source }) => `${name} ${version} (${licence}): ${source}`,
    ),
    '',
  ].join('\n')
}
