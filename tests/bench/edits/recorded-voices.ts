import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folder = join(tmpdir(), 'onecut-bench-recorded')

/** A person whose speech a package of Debian has, in many short files. */
export interface RecordedPerson {
  readonly package: string
  /** Below `/usr/share`. */
  readonly folder: string
}

const asterisk = (language: string, folder: string): RecordedPerson => ({
  package: `asterisk-core-sounds-${language}-g722`,
  folder: `asterisk/sounds/${folder}`,
})
const ktuberling = (language: string): RecordedPerson => ({
  package: 'ktuberling-data',
  folder: `ktuberling/sounds/${language}`,
})
const klettres = (language: string): RecordedPerson => ({
  package: 'klettres-data',
  folder: `klettres/${language}`,
})

/**
 * Two groups of ten, in each five lower and five higher voices, of whom none is in both. Speakers
 * of telephones (CC BY-SA 3.0, CC BY 3.0), volunteers who read the words of games for children at
 * home (GPL), and a reader of LibriVox (BSD). The repository has nothing of them.
 */
export const RECORDED = {
  heldOut: [
    asterisk('it', 'it_IT_m_Carlo'),
    ktuberling('wa'),
    ktuberling('el'),
    ktuberling('da'),
    { package: 'pocketsphinx-testdata', folder: 'pocketsphinx/test/data/librivox' },
    asterisk('en', 'en_US_f_Allison'),
    asterisk('fr', 'fr_CA_f_June'),
    asterisk('ru', 'ru_RU_f_IvrvoiceRU'),
    ktuberling('nn'),
    ktuberling('uk'),
  ],
  toTuneBy: [
    ktuberling('de'),
    ktuberling('lt'),
    ktuberling('sl'),
    klettres('fr'),
    klettres('en'),
    ktuberling('ca'),
    klettres('cs'),
    klettres('en_GB'),
    klettres('nl'),
    klettres('uk'),
  ],
  /** For attackers to learn from; none of them is in the two groups. */
  further: [
    ...['es', 'fi', 'ga', 'gl', 'nds', 'pt', 'ro', 'ru', 'sr', 'sv'].map(ktuberling),
    ...['ar', 'he', 'hu', 'ml', 'nb', 'pt_BR', 'tn', 'it', 'es'].map(klettres),
  ],
} as const satisfies Readonly<Record<string, readonly RecordedPerson[]>>

/** Seconds of speech; fewer where a person has said less. */
const SECONDS = 12
/** Root of the mean square, pauses included: quiet people would drown in the noise of loud ones. */
const LEVEL_DB = -20
/** Files without speech, and words that are too short, are left out. */
const LEAST_BYTES = 3500

/**
 * Twelve seconds of what a person says, as a file of one channel at 48 kHz, all equally loud.
 * Pauses are shortened to 0.4 s. Needs apt-get and dpkg, and brings the package once.
 * @param part which half of the files is heard: no file is in both
 */
export async function recordedSpeech(
  person: RecordedPerson,
  part: 'known' | 'said',
): Promise<string> {
  const name = `${person.package}-${person.folder.replaceAll('/', '-')}-${part}.wav`
  const path = join(folder, name)
  if (existsSync(path)) return path
  const files = (await filesOf(person)).filter(
    (_, index) => (index % 2 === 0) === (part === 'said'),
  )
  const forms = 'aformat=sample_fmts=flt:sample_rates=48000:channel_layouts=mono'
  const graph = [
    ...files.map((_, index) => `[${index}:a:0]${forms}[f${index}]`),
    `${files.map((_, index) => `[f${index}]`).join('')}concat=n=${files.length}:v=0:a=1,` +
      'silenceremove=stop_periods=-1:stop_duration=0.4:stop_silence=0.4:stop_threshold=-45dB,' +
      `atrim=duration=${SECONDS}[all]`,
  ]
  const whole = `${path}.whole.wav`
  await ffmpeg(
    files
      .flatMap((file) => [...(file.endsWith('.g722') ? ['-f', 'g722'] : []), '-i', file])
      .concat('-filter_complex', graph.join(';'), '-map', '[all]', '-c:a', 'pcm_f32le', whole),
  )
  const meter = 'astats=metadata=1,ametadata=mode=print:key=lavfi.astats.Overall.RMS_level:file=-'
  const printed = await ffmpeg(['-i', whole, '-af', meter, '-f', 'null', '-'])
  const gainDb = LEVEL_DB - Number(printed.trim().split('=').at(-1))
  await ffmpeg(['-i', whole, '-af', `volume=${gainDb.toFixed(2)}dB`, path])
  return path
}

async function filesOf({ package: name, folder: below }: RecordedPerson): Promise<string[]> {
  const root = join(folder, name)
  if (!existsSync(root)) {
    await mkdir(folder, { recursive: true })
    await run('apt-get', ['download', name], { cwd: folder })
    const archive = (await readdir(folder)).find((file) => file.startsWith(`${name}_`))
    await run('dpkg', ['-x', join(folder, archive ?? ''), root])
  }
  const parent = join(root, 'usr/share', below)
  const names = (await readdir(parent, { recursive: true })).filter((file) =>
    /^(?!.*silence).*\.(ogg|opus|wav|g722)$/.test(file),
  )
  const files = names.toSorted().map((file) => join(parent, file))
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  return files.filter((_, index) => (sizes[index] ?? 0) >= LEAST_BYTES).slice(0, 60)
}

async function ffmpeg(args: readonly string[]): Promise<string> {
  const all = ['-nostdin', '-v', 'error', '-y', ...args]
  const { stdout } = await run('ffmpeg', all, { maxBuffer: 1 << 28 })
  return stdout
}
