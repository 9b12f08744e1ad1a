/**
 * Names that the gazetteer lacks: persons after whom places are named, streets, developers and projects. Each line has
 * an Arabic name and its Latin spellings; common variants are derived.
 */
export const AD_NAMES = `
عبدالله|Abdullah
عبدالعزيز|Abdulaziz
عبدالرحمن|Abdulrahman
عبدالملك|Abdulmalik
الملك|King
الأمير|Prince
فهد|Fahd
سلمان|Salman
فيصل|Faisal
خالد|Khalid
سعود|Saud
سلطان|Sultan
تركي|Turki
نايف|Naif
مشعل|Mishal
محمد|Mohammed;Muhammad;Mohamad
أحمد|Ahmed
سعد|Saad
عثمان|Othman;Uthman
عبدالله بن|Abdullah bin
أنس بن مالك|Anas bin Malik
أبو بكر|Abu Bakr;Abu Baker
التخصصي|Takhassusi;Takhasusi;Takhassosi
التحلية|Tahlia;Tahliyah
العليا|Olaya
خريص|Khurais
الثمامة|Thumamah
الدائري|Da'iri
مدائن الفهد|Madain Al Fahd
بوليفارد|Boulevard
روشن|Roshn;Roshan
سدرة|Sedra;Sidra
وارفة|Warefa
المنار|Al Manar
الفرسان|Al Fursan
دار الأركان|Dar Al Arkan
رتال|Retal
الماجدية|Al Majdiah
صفا|Safa
أجدان|Ajdan
سمو|Sumou
العروس|Al Arous
مرسية|Murcia
مشارف|Masharef
المشرقية|Mashriqiyah
القدية|Qiddiya
نيوم|Neom
الدرعية|Diriyah
كافد|KAFD
جبل عمر|Jabal Omar
جبل|Jabal
المربع الجديد|New Murabba
حديقة الملك سلمان|King Salman Park
المسار الرياضي|Sports Boulevard
المملكة|Kingdom
ديار|Diyar
واحة|Waha
روابي|Rawabi
ضفاف|Difaf
مساكن|Masakin
الأندلس|Andalus
السعفة|Al Saafa
الجوهرة|Jawhara
التلال|Tilal
الإسكان|Iskan
السعودية|Saudi
`;
