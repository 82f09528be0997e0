// The sounds of the theatre, synthesised: paper, wood and a music box. On at low volume, but silent until the first
// click or key, as browsers demand; one switch, kept in local storage. It knows no game: see "Sound" in docs/web.md.

const VOLUME = 0.5;
const NOISE_SECONDS = 1;

// A burst of filtered noise: paper. `from` and `to` are the middle frequencies of the band, in hertz.
function addPaper(context, output, { at, length, from, to = from, peak, width = 1, rise = 0.004 }) {
  const source = new AudioBufferSourceNode(context, { buffer: noise(context) });
  const band = new BiquadFilterNode(context, { type: "bandpass", frequency: from, Q: width });
  band.frequency.setValueAtTime(from, at);
  band.frequency.exponentialRampToValueAtTime(to, at + length);
  source.connect(band).connect(envelope(context, at, rise, length, peak)).connect(output);
  source.start(at, (at * 7.3) % (NOISE_SECONDS - length));
  source.stop(at + length);
}

// A falling tone: a card or a peg that meets wood.
function addWood(context, output, { at, length, pitch, peak }) {
  const voice = new OscillatorNode(context, { type: "sine", frequency: pitch });
  voice.frequency.setValueAtTime(pitch * 1.5, at);
  voice.frequency.exponentialRampToValueAtTime(pitch, at + length / 3);
  voice.connect(envelope(context, at, 0.003, length, peak)).connect(output);
  voice.start(at);
  voice.stop(at + length);
}

// A tine of a music box: the tone, its octave, and a short high partial when it is plucked.
function addTine(context, output, { at, length, pitch, peak }) {
  for (const [multiple, share, part] of [[1, 1, 1], [2, 0.28, 0.6], [5.4, 0.1, 0.16]]) {
    const voice = new OscillatorNode(context, { type: "sine", frequency: pitch * multiple });
    voice.connect(envelope(context, at, 0.004, length * part, peak * share)).connect(output);
    voice.start(at);
    voice.stop(at + length * part);
  }
}

function envelope(context, at, rise, length, peak) {
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(peak, at + rise);
  volume.gain.exponentialRampToValueAtTime(0.0004, at + length);
  return volume;
}

const noises = new WeakMap();

function noise(context) {
  if (!noises.has(context)) {
    const buffer = new AudioBuffer({ length: NOISE_SECONDS * context.sampleRate, sampleRate: context.sampleRate });
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
    noises.set(context, buffer);
  }
  return noises.get(context);
}

const [D5, FIS5, A5, D6] = [587.3, 740, 880, 1174.7]; // everything that is pitched is in D major

const SOUNDS = {
  card: (paper, wood) => {
    paper({ at: 0, length: 0.09, from: 2400, to: 900, peak: 0.5 });
    wood({ at: 0.012, length: 0.1, pitch: 147, peak: 0.34 });
  },
  sweep: (paper) => {
    paper({ at: 0, length: 0.34, from: 650, to: 2200, peak: 0.52, rise: 0.13 });
    paper({ at: 0.2, length: 0.22, from: 2000, to: 750, peak: 0.4, rise: 0.05 });
  },
  flip: (paper, wood) => {
    paper({ at: 0, length: 0.11, from: 1200, to: 3000, peak: 0.26, rise: 0.07 });
    paper({ at: 0.12, length: 0.07, from: 2200, to: 1100, peak: 0.42 });
    wood({ at: 0.125, length: 0.09, pitch: 196, peak: 0.22 });
  },
  spin: (paper, wood) => {
    for (let click = 0, at = 0; click < 13; click++, at += 0.028 + 0.0052 * click) {
      wood({ at, length: 0.045, pitch: 440 - 9 * click, peak: 0.3 });
      paper({ at, length: 0.02, from: 2600, peak: 0.2 });
    }
  },
  cookie: (paper, _wood, tine) => {
    for (const [at, from] of [[0, 2100], [0.045, 1500], [0.1, 1900]]) paper({ at, length: 0.05, from, to: 800, peak: 0.4 });
    tine({ at: 0.11, length: 0.4, pitch: A5, peak: 0.2 });
  },
  turn: (_paper, _wood, tine) => {
    tine({ at: 0, length: 0.42, pitch: A5, peak: 0.24 });
    tine({ at: 0.13, length: 0.6, pitch: D6, peak: 0.24 });
  },
  win: (_paper, _wood, tine) => {
    for (const [beat, pitch] of [D5, FIS5, A5].entries()) tine({ at: 0.11 * beat, length: 0.45, pitch, peak: 0.2 });
    for (const pitch of [FIS5, A5, D6]) tine({ at: 0.35, length: 0.54, pitch, peak: 0.13 });
  },
};

export const SOUND_NAMES = Object.keys(SOUNDS);

// Schedules a sound in any audio context.
export function addSound(context, name, start) {
  const output = new GainNode(context, { gain: VOLUME });
  output.connect(context.destination);
  const later = (add) => (sound) => add(context, output, { ...sound, at: start + sound.at });
  SOUNDS[name](later(addPaper), later(addWood), later(addTine));
}

let audio = null; // created by the first click or key

export const isSoundOn = () => localStorage.getItem("sound") !== "off";

export function playSound(name, delay = 0) {
  if (audio && isSoundOn() && !document.hidden && name in SOUNDS) addSound(audio, name, audio.currentTime + delay);
}

// Plays several, each with its delay in seconds.
export function playSounds(delays) {
  for (const [name, delay] of delays) playSound(name, delay);
}

function unlock() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, unlock, { capture: true, passive: true });
