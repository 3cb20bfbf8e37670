/** The words of a converter for the rules of project.yaml. */
export { castFromText, castToText } from './values/casting';
export { custom } from './values/custom';
export { listAsMap, mapAsList } from './collections/indexes';
export { join, joinedList } from './lenses/joining';
export { mapping } from './values/mapping';
export { scaling } from './values/scaling';
export { firstOfHub, firstOfSpoke } from './collections/wraps';
