/** Jeddah. Row: `id|slug|name_ar|direction|lat,lng|other spellings`, as `../gazetteer.ts` reads it. */
export const JEDDAH = `
2001|al_shati|الشاطئ|N|21.605,39.110|الشاطىء;Ash Shatee;Al Shatea
2002|al_zahra|الزهراء|N|21.590,39.130|Al Zahraa
2003|al_nahdah|النهضة|N|21.612,39.132|Al Nahda
2004|al_naim|النعيم|N|21.622,39.150|Al Naeem
2005|al_salamah|السلامة|N|21.590,39.152|Al Salama
2006|al_bawadi|البوادي|N|21.600,39.168|
2007|al_safa|الصفا|N|21.583,39.208|
2008|al_marwah|المروة|N|21.618,39.200|Al Marwa
2009|al_faisaliyah|الفيصلية|N|21.575,39.178|Al Faisaliah
2010|al_rabwah|الربوة|N|21.600,39.185|Al Rabwa
2011|al_rawdah|الروضة|N|21.565,39.155|Al Rawda
2012|al_khalidiyah|الخالدية|N|21.555,39.132|Al Khaldiyah
2013|al_andalus|الأندلس|N|21.540,39.138|Al Andalous
2014|al_hamra|الحمراء|W|21.525,39.160|Al Hamraa
2015|al_ruwais|الرويس|C|21.512,39.165|Al Ruwais;Al Rowais
2016|al_sharafiyah|الشرفية|C|21.520,39.187|Al Sharafia
2017|al_aziziyah|العزيزية|C|21.553,39.190|Al Aziziya
2018|mushrifah|مشرفة|C|21.538,39.195|Moshrefah;Musharifah;Mishrifah
2019|al_rihab|الرحاب|C|21.550,39.220|Al Rehab
2020|al_naseem|النسيم|C|21.515,39.225|Al Nasim
2021|al_fayha|الفيحاء|C|21.495,39.225|Al Faiha
2022|al_sulaymaniyah|السليمانية|E|21.500,39.250|Al Sulaimaniyah
2023|al_waha|الواحة|E|21.570,39.240|Al Wahah
2024|al_samer|السامر|E|21.595,39.240|Al Samir
2025|al_manar|المنار|E|21.605,39.230|
2026|al_ajwad|الأجواد|E|21.610,39.260|Al Ajwad
2027|al_hamdaniyah|الحمدانية|N|21.735,39.190|Al Hamadaniyah;Al Hamdania
2028|al_falah|الفلاح|N|21.790,39.190|
2029|al_rahmaniyah|الرحمانية|N|21.790,39.150|Al Rahmania
2030|al_salhiyah|الصالحية|N|21.760,39.210|Al Salehiyah
2031|al_majid|الماجد|N|21.800,39.180|
2032|taybah|طيبة|N|21.840,39.180|Taiba
2033|al_riyadh|الرياض|N|21.800,39.230|
2034|al_basatin|البساتين|N|21.685,39.125|Al Basateen
2035|al_muhammadiyah|المحمدية|N|21.650,39.130|Al Mohammadiyah;Al Mohammadiya
2036|al_murjan|المرجان|N|21.680,39.105|Al Morjan
2037|abhur_al_shamaliyah|أبحر الشمالية|N|21.765,39.120|Obhur Al Shamaliyah;North Obhur;Abhur Ash Shamaliyah;Obhur North;Obhur Al Shamaliah
2038|abhur_al_janubiyah|أبحر الجنوبية|N|21.710,39.130|Obhur Al Janubiyah;South Obhur;Abhur Al Janubiyah;Obhur South;Obhur Al Janoubiyah;Obhur Al Junoobiah
2039|al_yaqut|الياقوت|N|21.800,39.080|Al Yaqoot
2040|al_zumurrud|الزمرد|N|21.785,39.090|Al Zomorod;Az Zomorod;Al Zumorrud
2041|al_lulu|اللؤلؤ|N|21.780,39.080|Al Loaloa;Al Lulu;Al Loloa
2042|al_firdaws|الفردوس|N|21.830,39.100|Al Firdous;Al Ferdous
2043|al_fayruz|الفيروز|N|21.820,39.080|Al Fairouz
2044|al_amwaj|الأمواج|N|21.775,39.070|
2045|al_shiraa|الشراع|N|21.770,39.090|Al Sheraa;Ash Shira
2046|al_sawari|الصواري|N|21.800,39.100|Al Sawari
2047|al_nur|النور|N|21.830,39.120|Al Noor;Al Nour
2048|al_marikh|المرسى|N|21.860,39.050|Al Marsa
2049|al_bahirat|البحيرات|N|21.870,39.110|Al Buhayrat;Al Bouhairat
2050|al_taawun|التعاون|N|21.680,39.100|
2051|al_wafa|الوفاء|N|21.850,39.220|
2052|al_kawthar|الكوثر|N|21.770,39.250|Al Kawther
2053|al_rayyan|الريان|N|21.660,39.205|Al Rayan;Al Rayaan
2054|bryman|بريمان|N|21.650,39.250|Briman;Buraiman
2055|al_asalah|الأصالة|N|21.810,39.170|
2056|al_safwah|الصفوة|N|21.720,39.250|Al Safwa
2057|al_shuruq|الشروق|N|21.780,39.170|Al Shorouq
2058|al_hijaz|الحجاز|N|21.830,39.200|Al Hejaz
2059|al_furusiyah|الفروسية|S|21.310,39.220|Al Forousiya;Al Frosyah
2060|al_ajawid|الأجاويد|S|21.400,39.270|Al Ajaweed
2061|al_sanabil|السنابل|S|21.370,39.280|Al Sanabel
2062|al_huda|الهدى|S|21.350,39.260|
2063|al_khumrah|الخمرة|S|21.300,39.230|Al Khomrah
2064|al_wazeeriyah|الوزيرية|S|21.440,39.240|Al Waziriyah;Al Waziriya
2065|al_thaghr|الثغر|S|21.460,39.220|Al Thagher
2066|al_jamiah|الجامعة|S|21.475,39.235|Al Jamea;Al Jamiaa
2067|al_adl|العدل|S|21.440,39.260|Al Adel
2068|al_amir_fawaz_al_shamali|الأمير فواز الشمالي|S|21.420,39.270|Prince Fawaz North;North Prince Fawaz;Al Ameer Fawaz Al Shamaly
2069|al_amir_fawaz_al_janubi|الأمير فواز الجنوبي|S|21.400,39.290|Prince Fawaz South;South Prince Fawaz;Al Ameer Fawaz Al Janouby
2070|al_amir_abdulmajid|الأمير عبدالمجيد|S|21.390,39.250|Prince Abdul Majeed;Prince Abdulmajeed;Al Amir Abdulmajeed;Al Ameer Abdulmajeed
2071|al_iskan|الإسكان|S|21.420,39.230|
2072|al_nuzlah_al_yamaniyah|النزلة اليمانية|C|21.470,39.200|Al Nazlah Al Yamaniyah;An Nazlah Al Yamaniyah
2073|al_nuzlah_al_sharqiyah|النزلة الشرقية|C|21.480,39.210|Al Nazlah Al Sharqiyah;An Nazlah Ash Sharqiyah
2074|ghulail|غليل|S|21.450,39.200|Ghulayl;Ghuleil
2075|petromin|بترومين|S|21.440,39.205|Betromin;Petromeen
2076|al_mahjar|المحجر|S|21.440,39.215|Al Mahjer
2077|madain_al_fahd|مدائن الفهد|S|21.440,39.225|Madayen Al Fahad;Madain Al Fahad
2078|al_quraiyat|القريات|S|21.430,39.200|Al Qurayat;Al Qurayyat
2079|al_sabeel|السبيل|C|21.470,39.190|As Sabil
2080|al_hindawiyah|الهنداوية|C|21.475,39.180|Al Hindawiya
2081|al_balad|البلد|C|21.485,39.187|Al Balad;البلد التاريخية
2082|al_sahifah|الصحيفة|C|21.485,39.200|As Sahifah
2083|al_kandarah|الكندرة|C|21.497,39.203|Al Kandara
2084|al_baghdadiyah_al_gharbiyah|البغدادية الغربية|C|21.500,39.182|West Al Baghdadiyah;Al Baghdadiyah West;Al Baghdadia Al Gharbia
2085|al_baghdadiyah_al_sharqiyah|البغدادية الشرقية|C|21.500,39.192|East Al Baghdadiyah;Al Baghdadiyah East;Al Baghdadia Al Sharqia
2086|al_ammariyah|العمارية|C|21.490,39.192|Al Amariyah
2087|bani_malik|بني مالك|C|21.525,39.205|Bani Malek
2088|al_wurud|الورود|C|21.515,39.205|Al Woroud;Al Wuroud
2089|al_thaalibah|الثعالبة|C|21.470,39.215|Al Thaaliba
2090|kilo_14|كيلو 14|E|21.420,39.290|كيلو أربعة عشر;Kilo Fourteen;K 14
2091|quwaizah|قويزة|E|21.480,39.270|Quwaiza;Qouizah;Gowaizah
2092|al_rawabi|الروابي|E|21.460,39.250|
2093|al_muntazahat|المنتزهات|E|21.450,39.280|Al Montazahat;Al Muntazah
2094|umm_al_salam|أم السلم|E|21.530,39.330|Um Al Salam;Umm As Salam;ام السلام
2095|al_harazat|الحرازات|E|21.450,39.330|Al Harazat;Al Haramain
2096|al_tawfiq|التوفيق|E|21.550,39.270|Al Tawfeeq
2097|al_nakheel|النخيل|E|21.540,39.235|Al Nakhil
2098|king_abdulaziz_university|جامعة الملك عبدالعزيز|C|21.495,39.245|KAU;King Abdul Aziz University
2099|al_rughamah|الرغامة|E|21.510,39.270|Al Raghama;Al Raghamah
2100|al_mutahir|مطار الملك عبدالعزيز الدولي|N|21.680,39.160|المطار;King Abdulaziz International Airport;Airport
2101|al_kurnish|الكورنيش|W|21.540,39.115|Al Corniche;Corniche
2102|al_fadilah|الفضيلة|S|21.330,39.300|Al Fadeylah;Al Fadila
2103|al_rahmah|الرحمة|S|21.330,39.200|
2104|al_qawzayn|القوزين|S|21.310,39.250|Al Qouzeen;Al Qozeen
2105|al_sarooriyah|السرورية|S|21.340,39.230|Al Sarawriyah;Al Sarouriyah
2106|al_kawkab|الكوكب|N|21.760,39.180|
2107|al_rehily|الرحيلي|N|21.770,39.260|Ar Rehaili;Al Rahili
2108|al_wadi|الوادي|N|21.690,39.260|
2109|al_salihiyah_east|مريخ|N|21.600,39.270|Mraykh;Meraikh;Mirrikh
2110|al_ghadir|الغدير|N|21.720,39.230|Al Ghadeer
2111|al_mahamid|المحاميد|S|21.370,39.220|Al Mahameed
2112|al_tadamun|التضامن|S|21.360,39.300|Al Tadamon
2113|al_worood_new|الدرة|N|21.960,38.970|درة العروس;Durrat Al Arus;Durat Al Arous
2114|dahaban|ذهبان|N|21.930,39.050|Thahban;Dhahban
2115|al_bashair|البشائر|N|21.870,39.180|Al Bashaer
2116|al_nuzha|النزهة|N|21.635,39.180|Al Nozha
2117|al_rawasi|الياسمين|N|21.770,39.160|Al Yasmin
2118|al_sheraa_east|الندى|N|21.790,39.210|Al Nada
2119|al_hada|الهدا|N|21.800,39.260|
2120|al_mursalat|المرسلات|N|21.740,39.130|
2121|al_sulimaniyah|البركة|S|21.320,39.270|Al Baraka
2122|al_montazah|المنتزه|E|21.480,39.290|
2123|al_wahat|الصناعية|S|21.420,39.250|
2124|khozam|خزام|S|21.440,39.190|Khuzam
2125|al_nuzla_industrial|المدينة الصناعية|S|21.410,39.220|Industrial City
`;
