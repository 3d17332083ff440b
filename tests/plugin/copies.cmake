# Copies LIBRARY to PLACE.so for each of PLACES. Their directories hold nothing else afterwards.
foreach(place IN LISTS PLACES)
  get_filename_component(directory ${place} DIRECTORY)
  file(REMOVE_RECURSE ${directory})
endforeach()
foreach(place IN LISTS PLACES)
  configure_file(${LIBRARY} ${CMAKE_CURRENT_BINARY_DIR}/${place}.so COPYONLY)
endforeach()
