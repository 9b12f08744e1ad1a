import sharp from 'sharp';
import { drawFacade, drawNeighborhood } from './pictures/facade.ts';
import { type HomeFacts, readFacts } from './pictures/facts.ts';
import { drawPlan } from './pictures/plan.ts';
import { drawRoom } from './pictures/rooms.ts';
import { hashText, Random } from './random.ts';

/** Returns the simulated fault of a photo: most are images; a few are missing, not images, or slow. */
export function photoFault(name: string): 'missing' | 'not_image' | 'slow' | null {
  const mark = hashText(`fault ${name}`) % 1000;
  if (mark < 5) return 'missing';
  if (mark < 8) return 'not_image';
  return mark < 10 ? 'slow' : null;
}

type Draw = (random: Random, facts: HomeFacts) => string;
/** The pictures of a home with bedrooms, in the order of their numbers. Each home starts at another one. */
const HOME_PICTURES: readonly Draw[] = [
  drawFacade,
  (random, facts) => drawRoom(random, facts, 'living'),
  drawPlan,
  (random, facts) => drawRoom(random, facts, 'bedroom'),
  (random, facts) => drawRoom(random, facts, 'kitchen'),
];
const WORKPLACE_PICTURES: readonly Draw[] = [drawFacade, drawPlan];
const WORKPLACES: ReadonlySet<HomeFacts['type']> = new Set(['office', 'shop', 'showroom']);

/** Share of the homes whose first picture is the building. The others start at any picture. */
const FACADE_SHARE = 0.25;

/** A usual unit of a project. */
const UNIT = 'apartment-area140-bedrooms3-bathrooms2-livings1-floor4';

/** Renders the photo of a name as JPEG. The bytes depend only on the name. */
export function renderPicture(name: string): Promise<Buffer> {
  return sharp(Buffer.from(drawPicture(name)))
    .removeAlpha()
    .jpeg({ quality: 78, optimiseCoding: false })
    .toBuffer();
}

/** Draws the photo of a name as SVG: a home whose facts the name states, otherwise a project or its neighborhood. */
export function drawPicture(name: string): string {
  const [, home = name, number = '1'] = /^(.*)-(\d+)\.jpg$/.exec(name) ?? [];
  const random = new Random(hashText(name), name.length);
  const facts = readFacts(home);
  if (facts === null && number === '1') return drawNeighborhood(random);
  const shown = facts ?? (readFacts(UNIT) as HomeFacts);
  const choice = new Random(hashText(home), home.length);
  const pictures = picturesOf(shown);
  const first = choice.chance(FACADE_SHARE) ? 0 : choice.int(0, pictures.length - 1);
  return (pictures[(first + Number(number) - 1) % pictures.length] ?? drawFacade)(random, shown);
}

function picturesOf({ type, bedrooms }: HomeFacts): readonly Draw[] {
  if (bedrooms > 0) return HOME_PICTURES;
  return WORKPLACES.has(type) ? WORKPLACE_PICTURES : [drawFacade];
}
