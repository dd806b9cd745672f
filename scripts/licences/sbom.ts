import { spawnSync } from 'node:child_process'
import { CORE_PARTS } from './core-parts.ts'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
}

/** The part of a CycloneDX document that is changed here; all else stays as npm writes it. */
export interface Sbom {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly {
    readonly ref: string
    readonly dependsOn?: readonly string[]
  }[]
}

/**
 * The bill of materials that npm makes of the lockfile, CycloneDX 1.5. The same lockfile always
 * gives the same bytes, so time and serial number are left out, which the format allows.
 */
export function readSbom(root: string): Sbom {
  const npm = process.env['npm_execpath']
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
  const all = [...args, '--package-lock-only', '--include=dev', '--loglevel=error']
  const { status, stdout, stderr } =
    npm === undefined
      ? spawnSync('npm', all, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
      : spawnSync(process.execPath, [npm, ...all], {
          cwd: root,
          encoding: 'utf8',
          maxBuffer: 64 * 1024 ** 2,
        })
  if (status !== 0)
    throw new Error(`npm could not list the packages; it must be 10.2 or newer:\n${stderr}`)
  const { serialNumber: _serial, ...sbom } = JSON.parse(stdout) as Sbom & {
    readonly serialNumber: string
  }
  const { timestamp: _time, ...metadata } = sbom.metadata
  const component = { ...sbom.metadata.component, name: 'onecut' }
  return {
    ...sbom,
    metadata: { ...metadata, component },
    components: sbom.components.map(withParts),
  }
}

/** Only the packages `name@version` that are asked for, and what they depend on among them. */
export function onlyPackages(sbom: Sbom, kept: ReadonlySet<string>): Sbom {
  const components = sbom.components.filter(({ name, version }) => kept.has(`${name}@${version}`))
  const refs = new Set([
    sbom.metadata.component['bom-ref'],
    ...components.map((component) => component['bom-ref']),
  ])
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: dependsOn.filter((each) => refs.has(each)),
    }))
  return { ...sbom, components, dependencies }
}

/** npm does not know what was compiled into the ffmpeg core. */
function withParts(component: Component): Component {
  if (component.name !== '@ffmpeg/core') return component
  const components = CORE_PARTS.map(({ name, version, licence, source }) => ({
    'bom-ref': `${component['bom-ref']}|${name}`,
    type: 'library',
    name,
    version,
    licenses: [{ expression: licence }],
    externalReferences: [{ type: 'vcs', url: source }],
  }))
  return Object.assign({}, component, { components })
}
